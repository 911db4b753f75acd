package dev.policysync.convert.expression;

/// The operators of a string pattern, in the order in which Kyverno looks for them.
enum Operator {
  MORE_OR_EQUAL(">=", ">="),
  LESS_OR_EQUAL("<=", "<="),
  MORE(">", ">"),
  LESS("<", "<"),
  NOT_EQUAL("!", "!="),
  EQUAL("", "==");

  private final String text;
  private final String cel;

  Operator(String text, String cel) {
    this.text = text;
    this.cel = cel;
  }

  /// Returns the operator as a pattern writes it.
  String text() {
    return text;
  }

  /// Returns the operator as CEL writes it.
  String cel() {
    return cel;
  }

  /// Returns whether a value satisfies the operator.
  ///
  /// @param sign the sign of the value minus the operand
  boolean satisfiedBy(int sign) {
    return switch (this) {
      case MORE_OR_EQUAL -> sign >= 0;
      case LESS_OR_EQUAL -> sign <= 0;
      case MORE -> sign > 0;
      case LESS -> sign < 0;
      case NOT_EQUAL -> sign != 0;
      case EQUAL -> sign == 0;
    };
  }
}
