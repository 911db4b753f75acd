package dev.policysync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.sync.Stop;
import dev.policysync.sync.StopSign;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReportPatienceTest {
  private final AtomicLong nanoTime = new AtomicLong();

  @Test
  void lastsAMinute() {
    var patience = patience(Duration.ofMinutes(4));

    pass(Duration.ofSeconds(59));
    assertThat(patience.allowance(Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
    assertThat(patience.over()).isEmpty();

    pass(Duration.ofSeconds(1));
    assertThat(patience.allowance(Duration.ZERO)).isZero();
    assertThat(patience.over()).contains("reading the reports took longer than 60 s");
  }

  @Test
  void lastsHalfOfWhatIsLeftOfAShortRun() {
    var patience = patience(Duration.ofSeconds(40));

    assertThat(patience.allowance(Duration.ZERO)).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void endsWithTheRun() {
    var stop = new StopSign(Duration.ofMinutes(4), nanoTime::get);
    var patience = new ReportPatience(new RunPatience(stop));

    stop.raise(Stop.SIGNAL);

    assertThat(patience.over()).contains(Stop.SIGNAL.toString());
    assertThat(patience.allowance(Duration.ZERO)).isLessThan(Duration.ofSeconds(5));
  }

  private ReportPatience patience(Duration timeout) {
    return new ReportPatience(new RunPatience(new StopSign(timeout, nanoTime::get)));
  }

  private void pass(Duration time) {
    nanoTime.addAndGet(time.toNanos());
  }
}
