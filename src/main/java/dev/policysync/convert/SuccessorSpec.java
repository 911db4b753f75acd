package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Collects what a successor judges, and how: the fields of a ValidatingPolicy's spec that are made
/// of one rule.
final class SuccessorSpec {
  private final List<Value> resourceRules;
  private final List<Value> conditions = new ArrayList<>();
  private final List<Value> variables = new ArrayList<>();
  private final List<Value> validations = new ArrayList<>();
  private boolean selectedByResources;

  SuccessorSpec(List<Value> resourceRules) {
    this.resourceRules = resourceRules;
  }

  /// Adds the condition that the rule matches the object, unless the resource rules say the same.
  /// Kyverno makes a webhook of its own for each policy with match conditions, and all webhooks
  /// together have to fit into one object.
  ///
  /// @param matched empty if the resource rules select exactly what the rule matches
  SuccessorSpec matched(Optional<Cel> matched) {
    selectedByResources = matched.isEmpty();
    matched.ifPresent(condition -> condition("matched", condition));
    return this;
  }

  /// Adds a match condition. Match conditions cannot read variables.
  SuccessorSpec condition(String name, Cel condition) {
    return condition(namedExpression(name, condition.text()));
  }

  SuccessorSpec condition(Value condition) {
    conditions.add(condition);
    return this;
  }

  SuccessorSpec variable(String name, String expression) {
    return variable(namedExpression(name, expression));
  }

  SuccessorSpec variable(Value variable) {
    variables.add(variable);
    return this;
  }

  SuccessorSpec validation(Value validation) {
    validations.add(validation);
    return this;
  }

  SuccessorSpec validation(Cel expression, String message) {
    return validation(
        Value.Mapping.EMPTY.with("expression", expression.text()).with("message", message));
  }

  boolean judgesDeletions() {
    return resourceRules.toString().contains("DELETE");
  }

  boolean hasSeveralConditions() {
    return conditions.size() + (selectedByResources ? 1 : 0) > 1;
  }

  /// Returns the fields.
  ///
  /// @param namespaces tests whether the successor is in force in the namespace of the object
  Value.Mapping fields(Cel namespaces) {
    var all = new ArrayList<Value>();
    if (!namespaces.equals(Cel.TRUE)) {
      all.add(namedExpression("namespace", namespaces.text()));
    }
    all.addAll(conditions);
    var fields =
        Value.Mapping.EMPTY.with(
            "matchConstraints",
            Value.Mapping.EMPTY.with("resourceRules", new Value.Sequence(resourceRules)));
    if (!all.isEmpty()) {
      fields = fields.with("matchConditions", new Value.Sequence(all));
    }
    return (variables.isEmpty() ? fields : fields.with("variables", new Value.Sequence(variables)))
        .with("validations", new Value.Sequence(validations));
  }

  /// Returns a match condition or a variable with that name.
  static Value.Mapping namedExpression(String name, String expression) {
    return Value.Mapping.EMPTY.with("name", name).with("expression", expression);
  }

  /// Binds [Place#JUDGED] in the expression if the expression uses it.
  static Cel bindJudged(Cel expression) {
    return expression.bind(Place.JUDGED.text(), Place.ANY_OBJECT.text());
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
