package dev.policysync.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MomentTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  @Test
  void countsTheTimeThatItsMachineWasSuspended() {
    var before = new Moment(0, NOON);
    var after = new Moment(Duration.ofSeconds(1).toNanos(), NOON.plusSeconds(600));

    assertThat(before.until(after)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void believesNoClockThatWasSetBack() {
    var before = new Moment(0, NOON);
    var after = new Moment(Duration.ofSeconds(50).toNanos(), NOON.minusSeconds(3600));

    assertThat(before.until(after)).isEqualTo(Duration.ofSeconds(50));
  }
}
