package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.policy.kyverno.KyvernoHealth;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WebhookChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

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

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(new WebhookChecks(cluster, cluster, Set.of()).all(), subject);
  }
}
