package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Durations;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;

/// A condition's key, operator and value.
///
/// Source: Kyverno 1.19.0, `CreateOperatorHandler` in pkg/engine/variables/operator.
record Comparison(Value.Mapping condition, Operand key, Operand value, Bindings bindings) {
  /// Whether it holds; false where the key is null.
  Cel holds() {
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal" -> new Equality(this).equal();
      case "NotEquals", "NotEqual" -> new Equality(this).different();
      case "AnyIn" -> new Membership(this, true, true).holds();
      case "AllIn" -> new Membership(this, false, true).holds();
      case "AnyNotIn" -> new Membership(this, true, false).holds();
      case "AllNotIn" -> new Membership(this, false, false).holds();
      case "GreaterThan" -> new Ordering(this, ">").holds();
      case "GreaterThanOrEquals" -> new Ordering(this, ">=").holds();
      case "LessThan" -> new Ordering(this, "<").holds();
      case "LessThanOrEquals" -> new Ordering(this, "<=").holds();
      default ->
          throw Untranslatable.field(
              condition,
              "operator",
              "a deprecated or unknown operator",
              "use Equals, AnyIn, AllIn, GreaterThan, LessThan or their opposites");
    };
  }

  /// Whether CEL cannot tell how Kyverno would read what it compares; the successor has an error
  /// then.
  Cel unclear() {
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal", "NotEquals", "NotEqual" -> new Equality(this).unclear();
      case "AnyIn", "AllIn", "AnyNotIn", "AllNotIn" ->
          value.stored() ? StoredTexts.unclear(value.term()) : Cel.FALSE;
      default -> Cel.FALSE;
    };
  }

  /// Refuses what Kyverno may read again ([Operand#checkFinal]).
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

  /// The compiler reads a text that is always the same where it is to be a duration or a number,
  /// and fails, whatever stands before it.
  void checkVariables() {
    if (List.of(key, value).stream().anyMatch(operand -> operand.term().text().startsWith("\""))) {
      throw refused("a variable with a text that is always the same");
    }
  }

  /// Whether a text that is written there is a duration.
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
