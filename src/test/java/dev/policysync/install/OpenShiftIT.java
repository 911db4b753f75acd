package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import dev.policysync.base.CanonicalJson;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The chart, installed by Helm on an API server that serves what OpenShift's does.
@RealCluster
class OpenShiftIT {
  private static final String KIND =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: securitycontextconstraints.security.openshift.io}
      spec:
        group: security.openshift.io
        scope: Cluster
        names: {kind: SecurityContextConstraints, plural: securitycontextconstraints}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  @TempDir private Path folder;
  private Sandbox sandbox;
  private String namespace;
  private Path kubeconfig;

  @BeforeEach
  void begin(Sandbox sandbox) throws Exception {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("openshift");
    this.kubeconfig = KubeconfigFile.ofAdmin(sandbox.cluster()).write(folder.resolve("kubeconfig"));
  }

  @AfterEach
  void leaveNothing() {
    Helm.uninstall("kyverno-policy-sync")
        .ignoreNotFound()
        .withNamespace(namespace)
        .withKubeConfig(kubeconfig)
        .call();
  }

  @Test
  void leavesUserAndGroupsToTheCluster() {
    sandbox.cluster().installCustomResource(KIND);
    try {
      assertThat(installed())
          .contains("\"runAsNonRoot\":true")
          .doesNotContain("runAsUser", "runAsGroup", "fsGroup");
    } finally {
      sandbox.cluster().removeCustomResource("securitycontextconstraints.security.openshift.io");
    }
  }

  @Test
  void asksForItsOwnUserElsewhere() {
    assertThat(installed()).contains("\"runAsUser\":65532", "\"fsGroup\":65532");
  }

  /// The CronJob as the API server has it.
  private String installed() {
    // Names without a namespace are one to a cluster; what other tests left, Helm would not take
    // over.
    Manifests.of(Chart.rendered("minimal", namespace)).delete(sandbox.admin(), namespace);
    var release =
        new Helm(Chart.FOLDER)
            .install()
            .withName("kyverno-policy-sync")
            .withNamespace(namespace)
            .withKubeConfig(kubeconfig)
            .set("insights.organization", "acme")
            .set("insights.cluster", "prod-1")
            .call();
    assertThat(release.getStatus()).isEqualTo("deployed");
    return CanonicalJson.write(
        sandbox
            .admin()
            .get("/apis/batch/v1/namespaces/" + namespace + "/cronjobs/kyverno-policy-sync")
            .ok());
  }
}
