package dev.policysync.cli;

import java.time.Duration;

/// Formats durations for summaries: `5.2s`.
public final class DurationText {
  private DurationText() {}

  public static String of(Duration duration) {
    var tenths = (duration.toMillis() + 50) / 100;
    return tenths / 10 + "." + tenths % 10 + "s";
  }
}
