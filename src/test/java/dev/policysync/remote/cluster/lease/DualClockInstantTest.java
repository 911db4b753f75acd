package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DualClockInstantTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  @Test
  void countsTheTimeThatItsMachineWasSuspended() {
    var before = new DualClockInstant(0, NOON);
    var after = new DualClockInstant(Duration.ofSeconds(1).toNanos(), NOON.plusSeconds(600));

    assertThat(before.until(after)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void believesNoClockThatWasSetBack() {
    var before = new DualClockInstant(0, NOON);
    var after = new DualClockInstant(Duration.ofSeconds(50).toNanos(), NOON.minusSeconds(3600));

    assertThat(before.until(after)).isEqualTo(Duration.ofSeconds(50));
  }
}
