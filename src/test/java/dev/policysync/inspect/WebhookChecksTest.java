package dev.policysync.inspect;

import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WebhookChecksTest {
  private static final PolicyId BREAKING = PolicyId.of(PolicyKind.VALIDATING_POLICY, "breaking");
  private static final String LOWER_CASE =
      """
      {'matchConstraints': {'resourceRules': [{'apiGroups': [''], 'apiVersions': ['v1'],
        'operations': ['create'], 'resources': ['pods']}]}}
      """;

  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();
  private final FakeFullPolicies live = new FakeFullPolicies();

  @Test
  void failsOnAWebhookThatPointsNowhere() {
    cluster.webhooks.put(
        "kyverno-exception-validating-webhook-cfg", new ProbeResult.Got<>(List.of("a/b", "")));

    assertThat(ask("Kyverno's webhooks"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK, CheckStatus.FAILURE);
  }

  @Test
  void failsOnAKyvernoThatDoesNotRun() {
    cluster.health = new KyvernoHealth.NotRunning("Kyverno is not running: gone");

    assertThat(ask("Kyverno's health"))
        .extracting(CheckResult::status, CheckResult::found)
        .containsExactly(tuple(CheckStatus.FAILURE, "Kyverno is not running: gone"));
  }

  @Test
  void saysThatItIsUnknownWhetherKyvernoRuns() {
    cluster.health = new KyvernoHealth.Unknown("RBAC");

    assertThat(ask("Kyverno's health"))
        .extracting(CheckResult::status, CheckResult::found)
        .containsExactly(tuple(CheckStatus.UNKNOWN, "RBAC"));
  }

  @Test
  void failsWhereADryRunIsRefused() {
    cluster.tried =
        new ProbeResult.Failed<>(
            "create: HTTP 500, failed calling webhook; check that Kyverno is running");

    assertThat(ask("dry run"))
        .containsExactly(
            CheckResult.failure(
                "dry run",
                "create: HTTP 500, failed calling webhook",
                "check that Kyverno is running"));
  }

  @Test
  void namesThePolicyThatBreaksKyvernosWebhookConfiguration() {
    live.with(BREAKING, Map.of(), policy(BREAKING, LOWER_CASE).content());

    assertThat(ask("policies in Kyverno's webhooks"))
        .containsExactly(
            CheckResult.failure(
                "policies in Kyverno's webhooks",
                "ValidatingPolicy/breaking breaks Kyverno's webhook configuration:"
                    + " spec.matchConstraints.resourceRules[0].operations[0]: the operation is none"
                    + " of CREATE, UPDATE, DELETE, CONNECT, *",
                "correct or remove it; until then no change of any policy has an effect"));
  }

  @Test
  void leavesOpenWhatBreaksTheConfigurationWherePoliciesCannotBeRead() {
    live.failing("list ValidatingPolicy: HTTP 403");

    assertThat(ask("policies in Kyverno's webhooks"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.UNKNOWN);
  }

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(
        new WebhookChecks(cluster, cluster, live, Set.of()).all(), subject);
  }
}
