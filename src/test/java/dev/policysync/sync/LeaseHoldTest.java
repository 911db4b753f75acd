package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseHoldTest {
  private static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");

  /// Ages, the duration, and what they say about the holder.
  @ParameterizedTest
  @CsvSource({
    "PT2M, PT3S, PT60S, ACTIVE",
    "PT2M, PT-2S, PT60S, ACTIVE",
    "PT2M, PT61S, PT60S, EXPIRED",
    "PT9H, PT9H, PT60S, EXPIRED",
    "PT2M, , PT60S, EXPIRED",
    "PT2M, PT3S, , EXPIRED",
    "PT30M, PT3S, PT60S, STUCK",
    ", PT3S, PT60S, STUCK",
    "PT2M, PT3S, PT24H, STUCK",
  })
  void judgesAHolder(Duration acquired, Duration renewed, Duration duration, LeaseHold hold) {
    assertThat(
            LeaseHold.of("pod-a", ago(acquired), ago(renewed), Optional.ofNullable(duration), NOW))
        .isEqualTo(hold);
  }

  @Test
  void isFreeWithoutAHolder() {
    assertThat(LeaseHold.of("", Optional.empty(), Optional.empty(), Optional.empty(), NOW))
        .isEqualTo(LeaseHold.FREE);
  }

  private static Optional<Instant> ago(Duration time) {
    return Optional.ofNullable(time).map(NOW::minus);
  }
}
