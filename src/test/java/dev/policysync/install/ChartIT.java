package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the chart renders, judged by the real API server, in a namespace that admits only Pods of
/// the restricted Pod Security Standard.
@RealCluster
class ChartIT {
  private Sandbox sandbox;
  private String namespace;

  @BeforeEach
  void restrict(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("restricted");
    sandbox
        .admin()
        .merge(
            "/api/v1/namespaces/" + namespace,
            Documents.yaml(
                "{metadata: {labels: {pod-security.kubernetes.io/enforce: restricted}}}"))
        .ok();
  }

  @ParameterizedTest
  @MethodSource("valueSets")
  void isAcceptedByTheApiServer(String valueSet) {
    var rendered = Manifests.of(Chart.rendered(valueSet, namespace));

    for (var object : rendered.objects()) {
      if (Manifests.kind(object).equals("PrometheusRule")) {
        continue; // no kind of the API server's own; promtool judges it in AlertsIT
      }
      assertThat(Manifests.dryRun(sandbox.admin(), object, namespace))
          .as(Manifests.kind(object))
          .satisfies(reply -> reply.ok());
    }
    for (var cronJob : rendered.all("CronJob")) {
      assertThat(Manifests.dryRun(sandbox.admin(), pod(cronJob), namespace))
          .as("its Pod")
          .satisfies(reply -> reply.ok());
    }
  }

  @Test
  void wouldBeRefusedWithLessSecurity() {
    var weak = Chart.with("securityContext.allowPrivilegeEscalation", "true");
    var cronJob = Manifests.of(weak).only("CronJob");

    var reply = Manifests.dryRun(sandbox.admin(), pod(cronJob), namespace);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.body().text("message").orElse("")).contains("violates PodSecurity");
  }

  @Test
  void kubectlMakesAJobOfTheCronJob(@TempDir Path folder) throws IOException {
    var rendered = Chart.rendered("minimal", namespace);
    var manifests = Files.writeString(folder.resolve("rendered.yaml"), rendered);
    // What other tests left of the same names, kubectl would not take over.
    Manifests.of(rendered).delete(sandbox.admin(), namespace);
    var kubectl = Kubectl.of(sandbox.cluster(), folder.resolve("home"));
    kubectl.run("apply", "--server-side", "--filename=" + manifests).ok();

    kubectl
        .run(
            "create",
            "job",
            "now",
            "--from=cronjob/kyverno-policy-sync",
            "--namespace=" + namespace)
        .ok();

    var jobs =
        kubectl
            .run(
                "get",
                "jobs",
                "--selector=app=kyverno-policy-sync",
                "--output=name",
                "--namespace=" + namespace)
            .ok();
    assertThat(jobs).isEqualTo("job.batch/now\n");
  }

  static List<String> valueSets() {
    return Chart.valueSets();
  }

  /// The Pod that a Job of that CronJob makes. Its priority class is left out: only a cluster's own
  /// controllers may use the ones that every cluster has.
  private static Value.Mapping pod(Value.Mapping cronJob) {
    var template =
        cronJob.mapping("spec").mapping("jobTemplate").mapping("spec").mapping("template");
    return template
        .with("apiVersion", "v1")
        .with("kind", "Pod")
        .with("metadata", template.mapping("metadata").with("name", "as-a-job-makes-it"))
        .with("spec", template.mapping("spec").without("priorityClassName"));
  }
}
