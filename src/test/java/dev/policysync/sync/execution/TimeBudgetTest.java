package dev.policysync.sync.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
  private final AtomicLong nanoTime = new AtomicLong();
  private final Cancellation run = new Cancellation(Duration.ofMinutes(4), nanoTime::get);

  @Test
  void limitsEachCallAndNotAllOfThem() {
    var each = run.perCall(Duration.ofSeconds(8));

    nanoTime.addAndGet(Duration.ofSeconds(239).toNanos());

    assertThat(run.perCall(Duration.ofSeconds(1)).allowance(Duration.ofSeconds(2)))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(each.allowance(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(3));
    assertThat(each.over()).isEmpty();
  }

  @Test
  void cutsAPauseShortWhereAPartOfTheRunIsOver() throws Exception {
    var part = run.within(Duration.ofMillis(1), "reading");

    assertThat(part.pause(Duration.ofDays(1))).isFalse();
    assertThat(part.pause(Duration.ZERO)).isTrue();
  }
}
