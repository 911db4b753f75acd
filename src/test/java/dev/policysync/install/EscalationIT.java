package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What SECURITY.md says about who may write mutating policies, tried with the ServiceAccount of
/// the chart on the real API server.
class EscalationIT extends EndToEnd {
  private static final String NAMESPACE = "insights-agent";
  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/";

  private final String suffix = UUID.randomUUID().toString().substring(0, 8);
  private RawApi account;

  @BeforeEach
  void haveANamespace() {
    createNamespace(NAMESPACE);
    account = cluster.admin();
  }

  @AfterEach
  void removeTraces() {
    cluster.admin().delete(ADMISSION + "mutatingadmissionpolicybindings/escalate-" + suffix);
    cluster.admin().delete(ADMISSION + "mutatingadmissionpolicies/escalate-" + suffix);
    cluster.admin().delete(BINDINGS + "harmless-" + suffix);
    Manifests.of(Chart.rendered("minimal", NAMESPACE)).delete(cluster.admin(), NAMESPACE);
  }

  @Test
  void withAllKindsTheAccountCanMakeItselfAdmin() {
    install("minimal");

    assertThat(writesItsPolicy()).isEqualTo(201);
    Awaitility.await("the API server to apply the mutating policy")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> subjectsOfANewBinding() == 2);
    assertThat(account.get("/api/v1/namespaces/kube-system/secrets").status()).isEqualTo(200);
  }

  @Test
  void withTheProfileValidatingItCannot() {
    install("validating");

    assertThat(writesItsPolicy()).isEqualTo(403);
  }

  @Test
  void withTheProfileValidatingTheAgentSyncsWhatValidatesAndRefusesTheRest() throws IOException {
    install("validating");
    var settings =
        cluster
            .admin()
            .get("/api/v1/namespaces/" + NAMESPACE + "/configmaps/kyverno-policy-sync")
            .ok();
    var pinned =
        Files.writeString(
            folder.resolve("pinned"),
            settings
                .mapping("data")
                .text("pinned")
                .orElseThrow()
                .lines()
                .filter(line -> line.startsWith("EXCLUDE_KINDS="))
                .collect(Collectors.joining()));
    agent
        .as(cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync"))
        .with("NAMESPACE", NAMESPACE)
        .withProperty("policysync.pinned", pinned.toString());
    var validating = KindExamples.of(PolicyKind.VALIDATING_POLICY, namespace);
    var mutating = KindExamples.of(PolicyKind.MUTATING_POLICY, namespace);
    insights.expects(
        Feeds.of(
            CanonicalJson.write(validating.content()) + "\n",
            CanonicalJson.write(mutating.content()) + "\n"));

    var check = agent.run("check");
    var run = agent.run();

    assertThat(check.all()).doesNotContain("is forbidden");
    assertThat(texts(run, "applied")).containsExactly(validating.id().name());
    assertThat(texts(run, "failed")).containsExactly(mutating.id().name());
    assertThat(run.summary().items("errors").toString())
        .contains("EXCLUDE_KINDS excludes this kind");
    assertThat(audit.entries())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .noneMatch(entry -> entry.status() == 403);
    cluster.admin().delete(LEASE.replace("default", NAMESPACE));
  }

  private void install(String values) {
    Manifests.of(Chart.rendered(values, NAMESPACE)).apply(cluster.admin(), NAMESPACE);
    account = cluster.as(cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync"));
  }

  /// What a feed could contain: a policy that adds the account to each new ClusterRoleBinding.
  private int writesItsPolicy() {
    var policy =
        Documents.yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: MutatingAdmissionPolicy
            metadata: {name: escalate-%1$s}
            spec:
              reinvocationPolicy: Never
              matchConstraints:
                resourceRules:
                  - {apiGroups: [rbac.authorization.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [clusterrolebindings]}
              matchConditions: [{name: this-test, expression: object.metadata.name == 'harmless-%1$s'}]
              mutations:
                - patchType: JSONPatch
                  jsonPatch:
                    expression: >-
                      [JSONPatch{op: "add", path: "/subjects/-", value: Object.subjects{kind: "ServiceAccount",
                      name: "kyverno-policy-sync", namespace: "insights-agent"}}]
            """
                .formatted(suffix));
    var binding =
        Documents.yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: MutatingAdmissionPolicyBinding
            metadata: {name: escalate-%1$s}
            spec: {policyName: escalate-%1$s}
            """
                .formatted(suffix));
    var status = account.post(ADMISSION + "mutatingadmissionpolicies", policy).status();
    return status == 201
        ? account.post(ADMISSION + "mutatingadmissionpolicybindings", binding).status()
        : status;
  }

  /// What an admin makes some day, for somebody else.
  private int subjectsOfANewBinding() {
    cluster.admin().delete(BINDINGS + "harmless-" + suffix);
    Value.Mapping binding =
        Documents.yaml(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: harmless-%s}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: admins}]
            """
                .formatted(suffix));
    return cluster
        .admin()
        .post(BINDINGS.substring(0, BINDINGS.length() - 1), binding)
        .ok()
        .items("subjects")
        .size();
  }
}
