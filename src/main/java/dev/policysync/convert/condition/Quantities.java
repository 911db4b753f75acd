package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.Term;
import java.util.regex.Pattern;

/// Quantities as Kubernetes reads them: `2Gi`, `500m`, `4`. Those of CEL are the same.
final class Quantities {
  private static final Pattern PLAIN =
      Pattern.compile("[+-]?\\d{1,15}(\\.\\d{1,9})?(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d)?");
  private static final Pattern UNCLEAR =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)(n|u|m|k|[MGTPE]|[KMGTPE]i|[eE][+-]?\\d+)?");

  /// A character that no quantity has.
  private static final Pattern FOREIGN = Pattern.compile(".*[^-+.0-9numkKMGTPEie*?].*");

  private Quantities() {}

  /// Whether that text is one.
  static boolean isQuantity(String text) {
    return PLAIN.matcher(text).matches();
  }

  /// Whether it is hard to say.
  static boolean isUnclear(String text) {
    return !isQuantity(text) && UNCLEAR.matcher(text).matches();
  }

  /// Whether nothing that matches this pattern is one.
  static boolean isNoneOf(String glob) {
    return FOREIGN.matcher(glob).matches();
  }

  /// What is more, where both are: less than 0, 0, or more than that.
  static String compared(Term one, Term other) {
    return "quantity(" + one.text() + ").compareTo(quantity(" + other.text() + "))";
  }

  /// How one compares with another, where both are.
  static Cel compared(String expression, String operator, String quantity) {
    return Cel.comparison(
        "quantity("
            + expression
            + ").compareTo(quantity("
            + Quoted.text(quantity)
            + ")) "
            + operator
            + " 0");
  }
}
