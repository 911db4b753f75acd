package dev.policysync.bench;

import java.time.Duration;
import java.util.Locale;

/// How figures are written.
final class Units {
  private Units() {}

  /// `0.58 s`, and from ten seconds on `16.5 s`.
  static String seconds(Duration time) {
    var seconds = time.toNanos() / 1e9;
    return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
  }

  /// `94 MiB`, rounded up so that a figure above a limit never reads as one that keeps it.
  static String mebibytes(long kibibytes) {
    return Math.ceilDiv(kibibytes, 1024) + " MiB";
  }
}
