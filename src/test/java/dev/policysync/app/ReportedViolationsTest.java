package dev.policysync.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.TimeBudget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReportedViolationsTest {
  private final AtomicLong nanoTime = new AtomicLong();

  @Test
  void waitsForReportsForAMinute() {
    var patience = patience(Duration.ofMinutes(4));

    pass(Duration.ofSeconds(59));
    assertThat(patience.allowance(Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
    assertThat(patience.over()).isEmpty();

    pass(Duration.ofSeconds(1));
    assertThat(patience.allowance(Duration.ZERO)).isZero();
    assertThat(patience.over()).contains("reading the reports took longer than 60 s");
  }

  @Test
  void waitsForReportsForHalfOfWhatIsLeftOfAShortRun() {
    var patience = patience(Duration.ofSeconds(40));

    assertThat(patience.allowance(Duration.ZERO)).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void waitsForReportsNoLongerThanTheRunLasts() {
    var stop = new Cancellation(Duration.ofMinutes(4), nanoTime::get);
    var patience = ReportedViolations.withReadLimit(stop);

    stop.raise(StopReason.SIGNAL);

    assertThat(patience.over()).contains(StopReason.SIGNAL.toString());
    assertThat(patience.allowance(Duration.ZERO)).isLessThan(Duration.ofSeconds(5));
  }

  private TimeBudget patience(Duration timeout) {
    return ReportedViolations.withReadLimit(new Cancellation(timeout, nanoTime::get));
  }

  private void pass(Duration time) {
    nanoTime.addAndGet(time.toNanos());
  }
}
