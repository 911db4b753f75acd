package dev.policysync.cli.settings;

import java.time.Duration;

/// Parses durations in Go's notation with whole numbers: `65s`, `4m`, `1m30s`, `500ms`, `0`.
final class GoDuration {
  private GoDuration() {}

  /// @throws IllegalArgumentException if the text is not a duration, or its seconds exceed a `long`
  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    if (text.isEmpty()) {
      throw new IllegalArgumentException(text);
    }
    try {
      var total = Duration.ZERO;
      var at = 0;
      while (at < text.length()) {
        var name = end(text, at, true);
        var next = end(text, name, false);
        var number = Long.parseLong(text.substring(at, name));
        total = total.plus(unit(text.substring(name, next)).multipliedBy(number));
        at = next;
      }
      return total;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /// Returns the end of the run of digits, or of non-digits, that begins at `from`.
  private static int end(String text, int from, boolean digits) {
    var at = from;
    while (at < text.length() && Character.isDigit(text.charAt(at)) == digits) {
      at++;
    }
    return at;
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
