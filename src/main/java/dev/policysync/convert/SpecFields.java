package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;

/// Builds parts of a ValidatingPolicy's spec.
final class SpecFields {
  private SpecFields() {}

  static Value.Mapping condition(String name, Cel condition) {
    return namedExpression(name, condition.text());
  }

  /// Returns a match condition or a variable with that name.
  static Value.Mapping namedExpression(String name, String expression) {
    return Value.Mapping.EMPTY.with("name", name).with("expression", expression);
  }

  /// Binds [Place#JUDGED] in the expression if the expression uses it.
  static Cel bindJudged(Cel expression) {
    var judged = Place.JUDGED.text();
    return expression.text().matches("(?s).*\\b" + judged + "\\b.*")
        ? Cel.call("cel.bind(" + judged + ", " + Place.ANY_OBJECT + ", " + expression + ")")
        : expression;
  }

  /// Returns whether the rule's message has variables.
  static boolean hasVariables(Value.Mapping rule) {
    var message = rule.mapping("validate").text("message").orElse("");
    return message.contains("{{") || message.contains("$(");
  }

  /// Returns the message for a violation; without a written one, a text that names the rule.
  static String message(Value.Mapping rule) {
    var validate = rule.mapping("validate");
    var message = validate.text("message").orElse("");
    if (hasVariables(rule)) {
      throw Untranslatable.field(
          validate,
          "message",
          "a variable in a message",
          "write a messageExpression in CEL, or a message without variables");
    }
    return message.isEmpty()
        ? "validation error: rule " + rule.text("name").orElse("") + " failed"
        : message;
  }
}
