package dev.policysync.convert.expression;

/// How a string pattern compares, in the order in which Kyverno looks for the operators.
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

  /// As a pattern has it.
  String text() {
    return text;
  }

  /// As CEL has it.
  String cel() {
    return cel;
  }

  /// Whether something that compares so with the operand satisfies it.
  ///
  /// @param sign of the value less the operand
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
