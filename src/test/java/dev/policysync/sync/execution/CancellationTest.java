package dev.policysync.sync.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CancellationTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Cancellation sign = new Cancellation(Duration.ofSeconds(2), nanos::get);

  @Test
  void countsOnWhereTheClockStartsAnew() {
    assertThat(sign.reason()).isEmpty();
    assertThat(sign.remaining()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void saysNothingBeforeTheDeadline() {
    nanos.addAndGet(1_999_999_999L);

    assertThat(sign.reason()).isEmpty();
    assertThat(sign.remaining()).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void showsAtTheDeadlineAndStays() {
    nanos.addAndGet(2_000_000_000L);

    assertThat(sign.reason()).contains(StopReason.DEADLINE);
    assertThat(sign.remaining()).isZero();

    nanos.addAndGet(60_000_000_000L);

    assertThat(sign.reason()).contains(StopReason.DEADLINE);
    assertThat(sign.remaining()).isZero();
  }

  @Test
  void showsWhatWasRaisedFirst() {
    sign.raise(StopReason.SIGNAL);
    sign.raise(StopReason.LEASE_LOST);
    nanos.addAndGet(3_000_000_000L);

    assertThat(sign.reason()).contains(StopReason.SIGNAL);
  }

  @Test
  void allowsACallNoMoreThanTheRunHasLeft() {
    nanos.addAndGet(500_000_000L);

    assertThat(sign.allowance(Duration.ZERO)).isEqualTo(Duration.ofMillis(1500));
    assertThat(sign.allowance(Duration.ofSeconds(2))).isEqualTo(Duration.ofMillis(3500));
  }

  @Test
  void allowsCallsAfterASignalFourSecondsAltogether() {
    nanos.addAndGet(500_000_000L);
    sign.raise(StopReason.SIGNAL);

    assertThat(sign.allowance(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(4));

    nanos.addAndGet(3_000_000_000L);

    assertThat(sign.allowance(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(1));

    nanos.addAndGet(2_000_000_000L);

    assertThat(sign.allowance(Duration.ofSeconds(2))).isZero();
  }

  @Test
  void countsThemFromTheDeadlineHoweverLateItIsNoticed() {
    nanos.addAndGet(5_000_000_000L);

    assertThat(sign.allowance(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(1));
  }
}
