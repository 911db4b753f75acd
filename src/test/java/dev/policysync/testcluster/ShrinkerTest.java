package dev.policysync.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final List<Integer> HUNDRED = IntStream.rangeClosed(1, 100).boxed().toList();

  @Test
  void leavesWhatTheFailureNeedsInItsOrder() {
    var shortest = Shrinker.shrink(HUNDRED, some -> some.containsAll(List.of(3, 58, 99)));

    assertThat(shortest).containsExactly(3, 58, 99);
  }

  @Test
  void leavesOneStepWhereOneIsEnough() {
    var shortest = Shrinker.shrink(HUNDRED, some -> some.contains(100));

    assertThat(shortest).containsExactly(100);
  }

  /// Of an even number of steps; only after another one went can one more go.
  @Test
  void goesOnUntilNoSingleStepCanGo() {
    var shortest =
        Shrinker.shrink(
            List.of(1, 2, 3, 4, 5),
            some -> some.contains(5) && (some.contains(1) || !some.contains(2)));

    assertThat(shortest).containsExactly(5);
  }

  @Test
  void needsFewTriesWhereTheLastStepsAreToBlame() {
    var tries = new AtomicInteger();

    var shortest =
        Shrinker.shrink(
            HUNDRED,
            some -> {
              tries.incrementAndGet();
              return some.containsAll(List.of(97, 100));
            });

    assertThat(shortest).containsExactly(97, 100);
    assertThat(tries).hasValueLessThan(20);
  }

  @Test
  void leavesAllWhereNoPartFails() {
    assertThat(Shrinker.shrink(HUNDRED, _ -> false)).isEqualTo(HUNDRED);
  }

  @Test
  void leavesWhatItHasOnceItIsEnough() {
    var tries = new AtomicInteger();

    var shortest =
        Shrinker.shrink(
            HUNDRED,
            some -> some.contains(100),
            () -> tries.get() == 1 || tries.incrementAndGet() > 1);

    assertThat(shortest).hasSizeBetween(1, 100).contains(100);
  }
}
