package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.TimeLimits;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyLimiterTest {
  private final AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter =
      new AdaptiveConcurrencyLimiter();

  @Test
  void isHalvedByEachRefusalButNeverComesToAStop() throws InterruptedException {
    enter(8);

    adaptiveConcurrencyLimiter.halveLimit();
    var once = adaptiveConcurrencyLimiter.limit();
    adaptiveConcurrencyLimiter.halveLimit();
    adaptiveConcurrencyLimiter.halveLimit();
    adaptiveConcurrencyLimiter.halveLimit();

    assertThat(once).isEqualTo(4);
    assertThat(adaptiveConcurrencyLimiter.limit()).isEqualTo(1);
  }

  @Test
  void growsByOneAfterARowOfAnswers() throws InterruptedException {
    enter(8);
    adaptiveConcurrencyLimiter.halveLimit();

    answered(3);
    var early = adaptiveConcurrencyLimiter.limit();
    answered(1);

    assertThat(early).isEqualTo(4);
    assertThat(adaptiveConcurrencyLimiter.limit()).isEqualTo(5);
  }

  @Test
  void startsTheRowAnewAfterARefusal() throws InterruptedException {
    enter(8);
    adaptiveConcurrencyLimiter.halveLimit();

    answered(3);
    adaptiveConcurrencyLimiter.release(false);
    answered(3);

    assertThat(adaptiveConcurrencyLimiter.limit()).isEqualTo(4);
  }

  @Test
  void makesTheNextOneWaitForATurn() throws InterruptedException {
    enter(2);
    adaptiveConcurrencyLimiter.halveLimit();
    try (var threads = Executors.newSingleThreadExecutor()) {
      var next =
          threads.submit(() -> {
            adaptiveConcurrencyLimiter.acquire();
            return "entered";
          });
      adaptiveConcurrencyLimiter.release(false);
      var early = next.isDone();

      adaptiveConcurrencyLimiter.release(true);

      Awaitility.await("the next one's turn").atMost(TimeLimits.WAIT).until(next::isDone);
      assertThat(early).isFalse();
    }
  }

  private void enter(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      adaptiveConcurrencyLimiter.acquire();
    }
  }

  private void answered(int times) {
    for (int i = 0; i < times; i++) {
      adaptiveConcurrencyLimiter.release(true);
    }
  }
}
