package dev.policysync.convert;

import java.util.regex.Pattern;

/// Quantities as Kubernetes parses them: `2Gi`, `500m`, `4`. CEL parses them in the same way.
final class Quantities {
  private static final Pattern PLAIN =
      Pattern.compile("[+-]?\\d{1,15}(\\.\\d{1,9})?(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d)?");
  private static final Pattern UNCLEAR =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?");

  /// Matches a pattern with a character that no quantity has.
  private static final Pattern FOREIGN = Pattern.compile(".*[^-+.0-9numkKMGTPEie*?].*");

  private Quantities() {}

  static boolean isQuantity(String text) {
    return PLAIN.matcher(text).matches();
  }

  /// Returns whether the string may be a quantity, but in a form for which that is not certain.
  static boolean isUnclear(String text) {
    return !isQuantity(text) && UNCLEAR.matcher(text).matches();
  }

  /// Returns whether no string that matches the pattern is a quantity.
  static boolean isNoneOf(String glob) {
    return FOREIGN.matcher(glob).matches();
  }

  /// Returns an expression that compares two quantities: less than 0, 0, or more than 0. Both terms
  /// must be quantities.
  static String compared(Term one, Term other) {
    return "quantity(" + one.text() + ").compareTo(quantity(" + other.text() + "))";
  }

  /// Compares an expression with a written quantity. The expression must yield a quantity.
  static Cel compared(String expression, String operator, String quantity) {
    return Cel.comparison(
        "quantity("
            + expression
            + ").compareTo(quantity("
            + Cel.quoted(quantity)
            + ")) "
            + operator
            + " 0");
  }
}
