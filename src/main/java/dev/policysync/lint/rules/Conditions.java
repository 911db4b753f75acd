package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Reports conditions that Kyverno rejects.
///
/// Source: Kyverno 1.19, `validateConditions`, `validateConditionValues`,
/// `validateConditionValuesKeyRequestOperation`, `validateRawJSONConditionOperator`,
/// `operator.IsOperatorValid`.
final class Conditions implements Rule {
  private static final Set<String> OPERATORS =
      Set.of(
          "Equal",
          "Equals",
          "NotEqual",
          "NotEquals",
          "In",
          "AnyIn",
          "AllIn",
          "NotIn",
          "AnyNotIn",
          "AllNotIn",
          "GreaterThanOrEquals",
          "GreaterThan",
          "LessThanOrEquals",
          "LessThan",
          "DurationGreaterThanOrEquals",
          "DurationGreaterThan",
          "DurationLessThanOrEquals",
          "DurationLessThan");
  private static final Set<String> OPERATIONS = Set.of("CREATE", "UPDATE", "DELETE", "CONNECT");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS044",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid condition",
        """
        A condition requires `key`, `operator` and `value`, and an operator that Kyverno knows; `{{ \
        request.operation }}` can only be compared with CREATE, UPDATE, DELETE and CONNECT. The schema does not \
        look into preconditions and deny conditions, but Kyverno's webhook rejects the policy.\
        """,
        "Use one of Equals, NotEquals, AnyIn, AllIn, AnyNotIn, AllNotIn, GreaterThan, GreaterThanOrEquals, LessThan"
            + " and LessThanOrEquals, and set key and value.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var node = rule.node();
      Stream.concat(
              node.at("preconditions").stream(), node.at("validate", "deny", "conditions").stream())
          .flatMap(Conditions::conditions)
          .forEach(condition -> judgeCompleteness(condition, found));
      Stream.concat(
              node.items("validate", "foreach").stream().flatMap(Conditions::ofForeach),
              Stream.concat(
                  node.items("mutate", "foreach").stream().flatMap(Conditions::ofForeach),
                  node.items("verifyImages").stream()
                      .flatMap(entry -> entry.items("attestations").stream())
                      .flatMap(attestation -> attestation.items("conditions").stream())))
          .flatMap(Conditions::conditions)
          .forEach(condition -> operator(condition, found));
    }
  }

  private static Stream<Node> ofForeach(Node each) {
    return Stream.concat(
        Stream.concat(each.at("preconditions").stream(), each.at("deny", "conditions").stream()),
        each.items("foreach").stream().flatMap(Conditions::ofForeach));
  }

  /// Returns the conditions in `any` and `all`, or in a plain list, the older notation.
  private static Stream<Node> conditions(Node node) {
    return node.items().isEmpty()
        ? Stream.concat(node.items("any").stream(), node.items("all").stream())
        : node.items().stream();
  }

  private static void judgeCompleteness(Node condition, LintFindingSink found) {
    for (var field : List.of("key", "value")) {
      if (!condition.has(field)) {
        found.at(condition, "the condition has no " + field + "; Kyverno rejects it");
        return;
      }
    }
    operator(condition, found);
    var key = condition.text("key").orElse("").replace(" ", "");
    if (key.equals("{{request.operation}}")) {
      var value = condition.at("value").orElse(condition);
      var values = value.items().isEmpty() ? List.of(value) : value.items();
      values.stream()
          .filter(item -> !OPERATIONS.contains(item.text().orElse("")))
          .filter(item ->
              !(value == item
                  && item.text()
                      .filter(text -> text.startsWith("{{") && text.endsWith("}}"))
                      .isPresent()))
          .forEach(item ->
              found.at(
                  item,
                  "request.operation is never this value; Kyverno rejects the condition",
                  "Use CREATE, UPDATE, DELETE or CONNECT."));
    }
  }

  private static void operator(Node condition, LintFindingSink found) {
    var operator = condition.at("operator");
    if (operator.isEmpty()) {
      found.at(condition, "the condition has no operator; Kyverno rejects it");
    } else if (!OPERATORS.contains(operator.get().text().orElse(""))) {
      found.at(operator.get(), "unknown operator; Kyverno rejects it");
    }
  }
}
