package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.List;

/// A condition's key, operator and value.
///
/// Source: Kyverno 1.19.0, `CreateOperatorHandler` in pkg/engine/variables/operator.
record Comparison(Value.Mapping condition, Operand key, Operand value, Bindings bindings) {
  /// Tests whether the condition holds; false if the key is null.
  Cel holds() {
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal" -> new Equality(this, key.term()).equal();
      case "NotEquals", "NotEqual" -> new Equality(this, key.term()).different();
      case "AnyIn" -> new Membership(this, key.term(), true, true).holds();
      case "AllIn" -> new Membership(this, key.term(), false, true).holds();
      case "AnyNotIn" -> new Membership(this, key.term(), true, false).holds();
      case "AllNotIn" -> new Membership(this, key.term(), false, false).holds();
      case "GreaterThan" -> new Ordering(this, key.term(), ">").holds();
      case "GreaterThanOrEquals" -> new Ordering(this, key.term(), ">=").holds();
      case "LessThan" -> new Ordering(this, key.term(), "<").holds();
      case "LessThanOrEquals" -> new Ordering(this, key.term(), "<=").holds();
      default ->
          throw Untranslatable.field(
              condition,
              "operator",
              "a deprecated or unknown operator",
              "use Equals, AnyIn, AllIn, GreaterThan, LessThan or their opposites");
    };
  }

  /// Tests whether CEL cannot tell how Kyverno would read the operands; the successor then has an
  /// error.
  Cel unclear() {
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal", "NotEquals", "NotEqual" -> new Equality(this, key.term()).unclear();
      case "AnyIn", "AllIn", "AnyNotIn", "AllNotIn" ->
          value.stored() ? Membership.unclear(value.term()) : Cel.FALSE;
      default -> Cel.FALSE;
    };
  }

  /// Refuses operands in which Kyverno may look for variables again ([Operand#checkFinal]).
  void checkFinal() {
    var wanted =
        switch (condition.text("operator").orElse("")) {
          case "AnyIn", "AllIn", "AnyNotIn", "AllNotIn" -> true;
          case "Equals", "Equal", "NotEquals", "NotEqual" ->
              (!key.isLiteral() && !value.isLiteral()) || key.isListOrMap() || value.isListOrMap();
          default -> false;
        };
    key.checkFinal(condition, wanted);
    value.checkFinal(condition, wanted);
  }

  /// Refuses an operand that is a constant string: where a duration or a number is needed, the CEL
  /// compiler parses the constant and fails, whatever guards the expression.
  void checkVariables() {
    if (List.of(key, value).stream().anyMatch(operand -> operand.term().text().startsWith("\""))) {
      throw refused("a variable with a text that is always the same");
    }
  }

  /// Returns whether a written string is a duration; refuses a duration in an unusual form.
  boolean isDuration(String text) {
    if (!Durations.isUsual(text)) {
      throw refused("with a duration in an unusual form");
    }
    return Durations.isDuration(text);
  }

  Untranslatable refused(String what) {
    return Untranslatable.value(
        condition, "a condition that compares " + what, "compare them in CEL");
  }
}
