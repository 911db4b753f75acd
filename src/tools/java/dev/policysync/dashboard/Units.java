package dev.policysync.dashboard;

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

  /// Three digits, as many of them behind the point as are needed.
  private static String number(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }
}
