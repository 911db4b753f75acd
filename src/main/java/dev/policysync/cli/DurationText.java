package dev.policysync.cli;

import java.time.Duration;

/// A duration as summaries have it: `5.2s`.
public final class DurationText {
  private DurationText() {}

  public static String of(Duration duration) {
    var tenths = (duration.toMillis() + 50) / 100;
    return tenths / 10 + "." + tenths % 10 + "s";
  }
}
