package dev.policysync.bench;

import dev.policysync.bench.Scenario.Work;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a thousand more policies cost, by the smallest and the largest number that was measured.
final class Growth {
  /// What a policy may cost at most.
  private static final double TIMES_KUBECTLS_CPU = 1.5;

  private Growth() {}

  /// A sentence for each kind of run of which there are two sizes.
  static String sentences(List<Result> results) {
    return sentence("A no-op", Work.NO_OP, results)
        + sentence("A first sync", Work.FIRST_SYNC, results)
        + sentence("kubectl's first apply", Work.KUBECTL_FIRST, results)
        + againstKubectl(results);
  }

  private static String sentence(String subject, Work work, List<Result> results) {
    return slope(work, results)
        .map(slope ->
            String.format(
                Locale.ROOT,
                "- %s takes %.3f s longer, %.3f s more CPU and %.1f MiB more memory for each 1,000"
                    + " policies.\n",
                subject,
                slope.wall,
                slope.cpu,
                slope.mebibytes))
        .orElse("");
  }

  /// What a policy more costs, without what the program costs by itself.
  private static String againstKubectl(List<Result> results) {
    var own = slope(Work.FIRST_SYNC, results);
    var kubectl = slope(Work.KUBECTL_FIRST, results);
    if (own.isEmpty() || kubectl.isEmpty()) {
      return "";
    }
    var times = own.get().cpu / kubectl.get().cpu;
    return String.format(
        Locale.ROOT,
        "- So a policy takes a first sync %.2f times kubectl's CPU; demanded are ≤ %.1f: %s.\n",
        times,
        TIMES_KUBECTLS_CPU,
        times <= TIMES_KUBECTLS_CPU ? "met" : "**missed**");
  }

  /// Seconds and MiB for each 1,000 policies.
  private record Slope(double wall, double cpu, double mebibytes) {}

  private static Optional<Slope> slope(Work work, List<Result> results) {
    var sizes =
        results.stream()
            .filter(Result.Measured.class::isInstance)
            .map(Result.Measured.class::cast)
            .filter(result -> result.scenario().work() == work)
            .sorted(Comparator.comparingInt(result -> result.scenario().policies()))
            .toList();
    if (sizes.size() < 2) {
      return Optional.empty();
    }
    var smallest = sizes.getFirst();
    var largest = sizes.getLast();
    var thousands = (largest.scenario().policies() - smallest.scenario().policies()) / 1_000.0;
    var from = smallest.median();
    var to = largest.median();
    return Optional.of(
        new Slope(
            to.wall().minus(from.wall()).toNanos() / 1e9 / thousands,
            to.cpu().minus(from.cpu()).toNanos() / 1e9 / thousands,
            (to.peakRss() - from.peakRss()) / 1_024.0 / thousands));
  }
}
