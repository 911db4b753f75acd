package dev.policysync.convert.expression;

import java.util.regex.Pattern;

/// Durations as Go reads them: `1h30m`. Those of CEL are the same.
public final class Durations {
  private static final Pattern DURATION =
      Pattern.compile("[+-]?((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+|[+-]0");

  /// As far as it cannot be too long for one: 292 years.
  private static final String READ =
      "^([+-]0|[+-]?("
          + upTo(12, "(ns|us|µs|μs|ms)")
          + "|"
          + upTo(9, "s")
          + "|"
          + upTo(6, "[mh]")
          + "){1,8})$";

  /// A little less than what Go has room for, in seconds.
  private static final String LONGEST = "9000000000.0";

  private Durations() {}

  private static String upTo(int digits, String unit) {
    return "(\\d{1," + digits + "}([.]\\d{0,9})?|[.]\\d{1,9})" + unit;
  }

  /// Whether Go reads that text as one.
  public static boolean isDuration(String text) {
    return DURATION.matcher(text).matches();
  }

  /// Whether [#isDuration(String)] and its expression agree on that text.
  public static boolean isUsual(String text) {
    return isDuration(text) == text.matches(READ);
  }

  /// Whether the string that the expression denotes is one.
  public static Cel is(String expression) {
    return Cel.call(expression + ".matches(" + Quoted.text(READ) + ")");
  }

  /// The one that a string denotes.
  public static String of(String expression) {
    return "duration(" + expression + ")";
  }

  /// As many whole seconds as a number says, in a string too.
  public static String ofSeconds(String number) {
    return "duration(string(int(double(" + number + "))) + \"s\")";
  }

  /// Whether a duration has room for as many seconds: where it has none, Go's arithmetic overflows.
  public static Cel haveRoomFor(String number) {
    return Cel.comparison("double(" + number + ") > -" + LONGEST)
        .and(Cel.comparison("double(" + number + ") < " + LONGEST));
  }

  /// How the string compares with a duration, where it is one.
  public static Cel compared(String expression, String operator, String duration) {
    return Cel.comparison(of(expression) + " " + operator + " " + of(Quoted.text(duration)));
  }
}
