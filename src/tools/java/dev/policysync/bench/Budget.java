package dev.policysync.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a scenario may take at most; a figure without a limit is only shown.
///
/// @param peakRss in MiB
record Budget(Optional<Duration> wall, Optional<Duration> cpu, Optional<Long> peakRss) {
  static final Budget NONE = new Budget(Optional.empty(), Optional.empty(), Optional.empty());

  static Budget wall(long millis) {
    return new Budget(Optional.of(Duration.ofMillis(millis)), Optional.empty(), Optional.empty());
  }

  Budget cpu(long millis) {
    return new Budget(wall, Optional.of(Duration.ofMillis(millis)), peakRss);
  }

  Budget peakRss(long mebibytes) {
    return new Budget(wall, cpu, Optional.of(mebibytes));
  }

  /// For the table: `≤ 0.60 s, 0.70 s CPU, 96 MiB: met`; empty where there is no limit.
  String verdict(Figures figures) {
    var limits = new ArrayList<String>();
    var missed = new ArrayList<String>();
    wall.ifPresent(limit -> {
      limits.add(Units.seconds(limit));
      if (figures.wall().compareTo(limit) > 0) {
        missed.add("wall");
      }
    });
    cpu.ifPresent(limit -> {
      limits.add(Units.seconds(limit) + " CPU");
      if (figures.cpu().compareTo(limit) > 0) {
        missed.add("CPU");
      }
    });
    peakRss.ifPresent(limit -> {
      limits.add(limit + " MiB");
      if (figures.peakRss() > limit * 1024) {
        missed.add("RSS");
      }
    });
    return limits.isEmpty() ? "" : "≤ " + String.join(", ", limits) + ": " + judged(missed);
  }

  private static String judged(List<String> missed) {
    return missed.isEmpty() ? "met" : "**missed: " + String.join(", ", missed) + "**";
  }
}
