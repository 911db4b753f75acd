package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KyvernoHealthTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @Test
  void runsWhereTheLeaseWasRenewedWithinFiveMinutes() {
    assertThat(health(NOW.minus(Duration.ofMinutes(5))))
        .isEqualTo(new KyvernoHealth.Running("kyverno", Duration.ofMinutes(5)));
  }

  @Test
  void runsWhereItsClockIsAheadOfTheApiServers() {
    assertThat(health(NOW.plusSeconds(90)))
        .isEqualTo(new KyvernoHealth.Running("kyverno", Duration.ofSeconds(-90)));
  }

  @Test
  void doesNotRunWhereTheLeaseIsOlder() {
    assertThat(health(NOW.minusSeconds(301)))
        .isEqualTo(
            new KyvernoHealth.NotRunning(
                "Kyverno is not running: its admission controller has not renewed Lease"
                    + " kyverno/kyverno-health since 2026-11-25T09:54:59Z"));
  }

  @Test
  void doesNotRunWhereTheLeaseHasNoTime() {
    assertThat(KyvernoHealth.of("kyverno", Optional.empty(), NOW))
        .isEqualTo(
            new KyvernoHealth.NotRunning(
                "Kyverno is not running: its admission controller wrote no time on Lease"
                    + " kyverno/kyverno-health"));
  }

  private static KyvernoHealth health(Instant lastRequest) {
    return KyvernoHealth.of("kyverno", Optional.of(lastRequest), NOW);
  }
}
