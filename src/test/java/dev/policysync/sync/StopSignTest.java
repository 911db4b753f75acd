package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StopSignTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final StopSign sign = new StopSign(Duration.ofSeconds(2), nanos::get);

  @Test
  void saysNothingBeforeTheDeadline() {
    nanos.addAndGet(1_999_999_999L);

    assertThat(sign.reason()).isEmpty();
    assertThat(sign.remaining()).isEqualTo(Duration.ofNanos(1));
  }

  @Test
  void showsAtTheDeadlineAndStays() {
    nanos.addAndGet(2_000_000_000L);

    assertThat(sign.reason()).contains(Stop.DEADLINE);
    assertThat(sign.remaining()).isZero();

    nanos.addAndGet(60_000_000_000L);

    assertThat(sign.reason()).contains(Stop.DEADLINE);
    assertThat(sign.remaining()).isZero();
  }

  @Test
  void showsWhatWasRaisedFirst() {
    sign.raise(Stop.SIGNAL);
    sign.raise(Stop.LEASE_LOST);
    nanos.addAndGet(3_000_000_000L);

    assertThat(sign.reason()).contains(Stop.SIGNAL);
  }
}
