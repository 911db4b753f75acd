package dev.policysync.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.TimeLimits;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace();

  @Test
  void isHalvedByEachRefusalButNeverComesToAStop() throws InterruptedException {
    enter(8);

    pace.slower();
    var once = pace.limit();
    pace.slower();
    pace.slower();
    pace.slower();

    assertThat(once).isEqualTo(4);
    assertThat(pace.limit()).isEqualTo(1);
  }

  @Test
  void growsByOneAfterARowOfAnswers() throws InterruptedException {
    enter(8);
    pace.slower();

    answered(3);
    var early = pace.limit();
    answered(1);

    assertThat(early).isEqualTo(4);
    assertThat(pace.limit()).isEqualTo(5);
  }

  @Test
  void startsTheRowAnewAfterARefusal() throws InterruptedException {
    enter(8);
    pace.slower();

    answered(3);
    pace.leave(false);
    answered(3);

    assertThat(pace.limit()).isEqualTo(4);
  }

  @Test
  void makesTheNextOneWaitForATurn() throws InterruptedException {
    enter(2);
    pace.slower();
    try (var threads = Executors.newSingleThreadExecutor()) {
      var next =
          threads.submit(() -> {
            pace.enter();
            return "entered";
          });
      pace.leave(false);
      var early = next.isDone();

      pace.leave(true);

      Awaitility.await("the next one's turn").atMost(TimeLimits.WAIT).until(next::isDone);
      assertThat(early).isFalse();
    }
  }

  private void enter(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      pace.enter();
    }
  }

  private void answered(int times) {
    for (int i = 0; i < times; i++) {
      pace.leave(true);
    }
  }
}
