package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Quoted;
import java.util.regex.Pattern;

/// Durations as Go reads them: `1h30m`. Those of CEL are the same.
final class Durations {
  private static final String UNIT = "(ns|us|µs|μs|ms|s|m|h)";
  private static final Pattern DURATION =
      Pattern.compile("[+-]?((\\d+(\\.\\d*)?|\\.\\d+)" + UNIT + ")+|[+-]0");
  private static final Pattern SHORT =
      Pattern.compile("([+-]?(\\d{1,5}(\\.\\d{1,5})?" + UNIT + "){1,3})");

  /// As far as it cannot be too long for one.
  private static final String READ =
      "^[+-]?((\\d{1,5}([.]\\d{0,5})?|[.]\\d{1,5})(ns|us|µs|μs|ms|s|m|h)){1,8}$";

  private Durations() {}

  /// Whether that text is one.
  static boolean isDuration(String text, Comparison of) {
    if (DURATION.matcher(text).matches() && !SHORT.matcher(text).matches()) {
      throw of.refused("with a duration in an unusual form");
    }
    return SHORT.matcher(text).matches();
  }

  /// Whether the string that the expression denotes is one.
  static Cel isDuration(String expression) {
    return Cel.call(expression + ".matches(" + Quoted.text(READ) + ")");
  }

  /// How one compares with another, where both are.
  static Cel compared(String expression, String operator, String duration) {
    return Cel.comparison(
        "duration(" + expression + ") " + operator + " duration(" + Quoted.text(duration) + ")");
  }
}
