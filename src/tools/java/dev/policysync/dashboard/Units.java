package dev.policysync.dashboard;

import java.time.Duration;
import java.util.Locale;

/// Values as Grafana writes them.
final class Units {
  private static final double MINUTE = 60;
  private static final double HOUR = 60 * MINUTE;

  private Units() {}

  /// @param unit `s`, or anything else for a number without a unit
  static String written(double value, String unit) {
    if (!unit.equals("s")) {
      return number(value);
    }
    if (value != 0 && value < 1) {
      return number(value * 1000) + " ms";
    }
    if (value < MINUTE) {
      return number(value) + " s";
    }
    return value < HOUR ? number(value / MINUTE) + " mins" : number(value / HOUR) + " hours";
  }

  /// How long ago something was: `a few seconds ago`, `a minute ago`, `5 minutes ago`.
  static String ago(Duration duration) {
    var seconds = duration.toSeconds();
    if (seconds < 45) {
      return "a few seconds ago";
    }
    return seconds < 1.5 * MINUTE
        ? "a minute ago"
        : String.format(Locale.ROOT, "%.0f minutes ago", seconds / MINUTE);
  }

  /// Three digits, as many of them behind the point as are needed.
  private static String number(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }
}
