package dev.policysync.bench;

import dev.policysync.bench.Scenario.Work;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// What a thousand more policies cost, by the smallest and the largest number that was measured.
final class Growth {
  private Growth() {}

  /// A sentence for each kind of run of which there are two sizes.
  static String sentences(List<Result> results) {
    return sentence("A no-op", Work.NO_OP, results)
        + sentence("A first sync", Work.FIRST_SYNC, results);
  }

  private static String sentence(String subject, Work work, List<Result> results) {
    var sizes =
        results.stream()
            .filter(Result.Measured.class::isInstance)
            .map(Result.Measured.class::cast)
            .filter(result -> result.scenario().work() == work)
            .sorted(Comparator.comparingInt(result -> result.scenario().policies()))
            .toList();
    if (sizes.size() < 2) {
      return "";
    }
    var smallest = sizes.getFirst();
    var largest = sizes.getLast();
    var thousands = (largest.scenario().policies() - smallest.scenario().policies()) / 1_000.0;
    var from = smallest.median();
    var to = largest.median();
    return "- %s takes %s longer, %s more CPU and %.1f MiB more memory for each 1,000 policies.\n"
        .formatted(
            subject,
            slope(from.wall(), to.wall(), thousands),
            slope(from.cpu(), to.cpu(), thousands),
            (to.peakRss() - from.peakRss()) / 1_024.0 / thousands);
  }

  private static String slope(Duration from, Duration to, double thousands) {
    var seconds = to.minus(from).toNanos() / 1e9 / thousands;
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
