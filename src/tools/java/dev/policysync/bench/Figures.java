package dev.policysync.bench;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/// What one run of a process took, or the medians of several.
///
/// @param wall from its start to its end, by the monotonic clock
/// @param cpu user and system time of it and the processes that it waited for
/// @param peakRss the most memory that it had at once, in KiB
/// @param clusterCpu what the API server, etcd and a Kyverno took meanwhile
record Figures(Duration wall, Duration cpu, long peakRss, Duration clusterCpu) {
  /// Of each figure its own median; of an even number the higher one of the middle two.
  static Figures median(List<Figures> runs) {
    return new Figures(
        median(runs, Figures::wall),
        median(runs, Figures::cpu),
        median(runs, Figures::peakRss),
        median(runs, Figures::clusterCpu));
  }

  private static <T extends Comparable<T>> T median(
      List<Figures> runs, Function<Figures, T> figure) {
    var sorted = runs.stream().map(figure).sorted(Comparator.naturalOrder()).toList();
    return sorted.get(sorted.size() / 2);
  }
}
