package dev.policysync.convert;

import java.util.regex.Pattern;

/// Durations as Go parses them: `1h30m`. CEL parses them in the same way.
final class Durations {
  private static final Pattern DURATION =
      Pattern.compile("[+-]?((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+|[+-]0");

  /// Matches a duration that cannot overflow: at most 292 years.
  private static final String READ =
      "^([+-]0|[+-]?("
          + upTo(12, "(ns|us|µs|μs|ms)")
          + "|"
          + upTo(9, "s")
          + "|"
          + upTo(6, "[mh]")
          + "){1,8})$";

  /// A number of seconds that is slightly below the longest duration of Go.
  private static final String LONGEST = "9000000000.0";

  private Durations() {}

  private static String upTo(int digits, String unit) {
    return "(\\d{1," + digits + "}([.]\\d{0,9})?|[.]\\d{1,9})" + unit;
  }

  /// Returns whether Go parses the text as a duration.
  static boolean isDuration(String text) {
    return DURATION.matcher(text).matches();
  }

  /// Returns whether [#isDuration(String)] and the CEL test [#isDurationTest(String)] agree on that
  /// text.
  static boolean isUsual(String text) {
    return isDuration(text) == text.matches(READ);
  }

  /// Tests whether the string that the expression yields is a duration.
  static Cel isDurationTest(String expression) {
    return Cel.matches(expression, READ);
  }

  /// Returns an expression for the duration that a string denotes.
  static String of(String expression) {
    return "duration(" + expression + ")";
  }

  /// Returns an expression for a duration of that many whole seconds. The number may be in a
  /// string.
  static String ofSeconds(String number) {
    return "duration(string(int(double(" + number + "))) + \"s\")";
  }

  /// Tests whether a duration can hold that many seconds: beyond that, Go's arithmetic overflows.
  static Cel fits(String number) {
    return Cel.comparison("double(" + number + ") > -" + LONGEST)
        .and(Cel.comparison("double(" + number + ") < " + LONGEST));
  }

  /// Compares a string, which must be a duration, with a written duration.
  static Cel compared(String expression, String operator, String duration) {
    return Cel.comparison(of(expression) + " " + operator + " " + of(Cel.quoted(duration)));
  }
}
