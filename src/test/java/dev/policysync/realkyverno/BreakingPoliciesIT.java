package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What PS057 calls an error breaks the webhook configuration of a real Kyverno: it is not written
/// any more while the policy is there, and written again once it is gone.
class BreakingPoliciesIT extends WithKyverno {
  private static final Path EXAMPLES = Path.of("src/test/resources/lint/PS057");
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final List<String> CONFIGURATIONS =
      List.of(
          REGISTRATION + "validatingwebhookconfigurations/kyverno-resource-validating-webhook-cfg",
          REGISTRATION + "mutatingwebhookconfigurations/kyverno-resource-mutating-webhook-cfg");
  private static final PolicyId VALIDATING = PolicyId.of(PolicyKind.VALIDATING_POLICY, "example");
  private static final String PROBED = "limitranges";

  @AfterEach
  void removeThem() {
    for (var kind : List.of(PolicyKind.VALIDATING_POLICY, PolicyKind.MUTATING_POLICY)) {
      for (var name : List.of("example", "probe")) {
        cluster.admin().delete(RawApi.path(PolicyId.of(kind, name), "v1"));
      }
    }
  }

  static List<Path> flagged() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .filter(file -> file.getFileName().toString().matches("flagged-.*\\.yaml"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("flagged")
  void kyvernoEnforcesNothingNewWhileThePolicyIsThere(Path file) throws IOException {
    var policy = Documents.yaml(Files.readString(file));
    var id = PolicyId.of(PolicyKind.of(policy).orElseThrow(), "example");
    applies(id, Files.readString(file));
    var probe = PolicyId.of(id.kind(), "probe");

    applies(probe, probe(id.kind().kind()));
    awaitReady(probe);
    var broken = resources();
    cluster.admin().delete(RawApi.path(id, "v1"));

    assertThat(broken).doesNotContain(PROBED);
    await("Kyverno to write its webhooks again", () -> resources().contains(PROBED));
  }

  @Test
  void aRunWithholdsItAndAppliesTheOthers() throws IOException {
    insights.expects(
        Feeds.of(
            clusterPolicy("before", "Audit"),
            Files.readString(EXAMPLES.resolve("flagged-lower-case.yaml"))));

    var preview = agent.run("--dry-run", "--lint=off");
    var run = agent.run("--lint=off");

    for (var tried : List.of(preview, run)) {
      assertThat(tried.exitCode()).as(tried.all()).isEqualTo(3);
      assertThat(texts(tried, "applied")).containsExactly("before");
      assertThat(tried.summary().items("withheld").toString())
          .contains("ValidatingPolicy/example", "it would break Kyverno's webhook configuration");
    }
    assertThat(cluster.admin().get(RawApi.path(VALIDATING, "v1")).status()).isEqualTo(404);
  }

  @Test
  void checkAndStatusNameAPolicyOfAnotherTeam() throws IOException {
    applies(VALIDATING, Files.readString(EXAMPLES.resolve("flagged-selector.yaml")));

    var check = agent.run("check");
    var status = agent.run("status");

    assertThat(check.exitCode()).as(check.all()).isEqualTo(1);
    assertThat(check.stdout())
        .contains("ValidatingPolicy/example breaks Kyverno's webhook configuration");
    assertThat(status.exitCode()).as(status.all()).isEqualTo(1);
    assertThat(status.stdout()).contains("1 policy breaks Kyverno's webhook configuration");
  }

  private void applies(PolicyId id, String text) {
    cluster.admin().apply(RawApi.path(id, "v1") + "?fieldManager=test&force=true", text).ok();
  }

  /// Returns the resources whose requests Kyverno receives.
  private List<String> resources() {
    return CONFIGURATIONS.stream()
        .map(path -> cluster.admin().get(path).ok())
        .flatMap(configuration -> configuration.mappings("webhooks").stream())
        .flatMap(webhook -> webhook.mappings("rules").stream())
        .flatMap(rule -> rule.texts("resources").stream())
        .toList();
  }

  /// A policy for a resource that no other policy matches.
  private static String probe(String kind) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: %s
    metadata: {name: probe}
    spec:
      matchConstraints:
        resourceRules:
        - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [%s]}
      %s
    """
        .formatted(
            kind,
            PROBED,
            kind.equals("MutatingPolicy")
                ? "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression:"
                    + " \"Object{}\"}}]"
                : "validations: [{expression: \"true\"}]");
  }
}
