package dev.policysync.testcluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Makes a sequence that fails shorter as long as it goes on to fail (delta debugging): halves of
/// it are left out, then quarters, at last single steps.
public final class Shrinker {
  /// How long a shorter one is looked for: on real servers each try takes seconds.
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private Shrinker() {}

  /// The shortest part that was found in three minutes, in its order.
  ///
  /// @param fails whether a part of it fails as the whole did
  public static <S> List<S> shrink(List<S> failing, Predicate<List<S>> fails) {
    var end = System.nanoTime() + LONGEST.toNanos();
    return shrink(failing, fails, () -> System.nanoTime() - end >= 0);
  }

  /// @param enough asked before each try
  static <S> List<S> shrink(List<S> failing, Predicate<List<S>> fails, BooleanSupplier enough) {
    var shortest = List.copyOf(failing);
    var size = Math.max(1, shortest.size() / 2);
    while (true) {
      var before = shortest.size();
      for (int from = 0; from < shortest.size(); ) {
        if (shortest.size() == 1 || enough.getAsBoolean()) {
          return shortest;
        }
        var shorter = without(shortest, from, size);
        if (!shorter.isEmpty() && fails.test(shorter)) {
          shortest = shorter;
        } else {
          from += size;
        }
      }
      if (size == 1 && shortest.size() == before) {
        return shortest;
      }
      size = Math.max(1, size / 2);
    }
  }

  private static <S> List<S> without(List<S> steps, int from, int size) {
    var left = new ArrayList<>(steps.subList(0, from));
    left.addAll(steps.subList(Math.min(steps.size(), from + size), steps.size()));
    return List.copyOf(left);
  }
}
