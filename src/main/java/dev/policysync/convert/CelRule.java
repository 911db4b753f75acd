package dev.policysync.convert;

import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.match.MatchTranslation;
import dev.policysync.convert.match.RuleScope;
import dev.policysync.json.Json;
import dev.policysync.json.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A rule with `cel` as a policy; another one for controllers and for CronJobs where autogen
/// applies, with the expressions that Kyverno makes for them.
///
/// Source: Kyverno 1.19.0, `validateCELHandler`, and `updateFields` of pkg/autogen/v1, which
/// replaces texts in the whole rule.
final class CelRule {
  private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE", "DELETE");
  private static final Set<String> FIELDS =
      Set.of("auditAnnotations", "expressions", "generate", "variables");
  private static final Pattern UNKNOWN = Pattern.compile("\\b(authorizer|params)\\b");
  private static final Pattern NAMESPACE = Pattern.compile("\\bnamespaceObject\\b");

  private static final Set<String> EXPRESSIONS =
      Set.of("expression", "messageExpression", "valueExpression");
  private static final Pattern OBJECT = Pattern.compile("\\bobject\\b");
  private static final String DELETED =
      "cel.bind(object, request.operation == \"DELETE\" ? dyn(null) : object, ";

  private CelRule() {}

  /// What its policy says of requests in that scope.
  static Value.Mapping successorSpec(Value.Mapping rule, RuleScope scope) {
    var cel = rule.mapping("validate").mapping("cel");
    cel.fields().keySet().stream()
        .filter(field -> !FIELDS.contains(field))
        .forEach(field -> {
          throw Untranslatable.field(
              cel,
              field,
              "parameters of CEL",
              "a ValidatingPolicy has none; read the resource with resource.Get()");
        });
    checkNames(cel);
    rule.items("celPreconditions").forEach(CelRule::checkNames);
    var match = MatchTranslation.of(rule, scope);
    if (match.matchesNamespaces() && NAMESPACE.matcher(Json.write(rule)).find()) {
      throw Untranslatable.value(
          cel,
          "namespaceObject in CEL of a rule about Namespaces",
          "it is null there in the legacy form, and the Namespace itself in the new one; use object");
    }
    var resourceRules = match.resourceRules(OPERATIONS);
    var deletes = resourceRules.toString().contains("DELETE");
    var conditions = new ArrayList<Value>();
    conditions.add(
        SpecFields.condition(
            "matched", match.matches(deletes ? Place.ANY_OBJECT : Place.OBJECT, Optional.empty())));
    rule.mappings("celPreconditions")
        .forEach(condition -> conditions.add(written(condition, scope, deletes)));
    var spec =
        Value.Mapping.EMPTY
            .with(
                "matchConstraints",
                Value.Mapping.EMPTY.with("resourceRules", new Value.Sequence(resourceRules)))
            .with("matchConditions", new Value.Sequence(conditions));
    if (!cel.items("variables").isEmpty()) {
      spec =
          spec.with(
              "variables", written(new Value.Sequence(cel.items("variables")), scope, deletes));
    }
    var validations =
        cel.mappings("expressions").stream()
            .map(expression -> withMessage(expression, rule))
            .map(expression -> written(expression, scope, deletes))
            .toList();
    if (validations.isEmpty()) {
      throw Untranslatable.field(
          rule.mapping("validate"), "cel", "CEL without expressions", "write one, or remove it");
    }
    spec = spec.with("validations", new Value.Sequence(validations));
    return cel.items("auditAnnotations").isEmpty()
        ? spec
        : spec.with(
            "auditAnnotations",
            written(new Value.Sequence(cel.items("auditAnnotations")), scope, deletes));
  }

  /// The expressions as Kyverno makes them for that scope.
  private static Value written(Value value, RuleScope scope, boolean deletes) {
    var shifted = scope.applied(value, List.of("object", "oldObject"));
    return deletes ? ofDeletions(shifted) : shifted;
  }

  /// Where something is deleted, `object` is null in the legacy form, and an empty map in the new
  /// one.
  private static Value ofDeletions(Value value) {
    return switch (value) {
      case Value.Mapping(var fields) -> {
        var bound = new LinkedHashMap<String, Value>();
        fields.forEach((name, field) ->
            bound.put(
                name,
                field instanceof Value.Text(var text) && isAboutObject(name, text)
                    ? new Value.Text(DELETED + text + ")")
                    : ofDeletions(field)));
        yield new Value.Mapping(bound);
      }
      case Value.Sequence(var items) ->
          new Value.Sequence(items.stream().map(CelRule::ofDeletions).toList());
      default -> value;
    };
  }

  private static boolean isAboutObject(String field, String text) {
    return EXPRESSIONS.contains(field) && OBJECT.matcher(text).find();
  }

  private static Value.Mapping withMessage(Value.Mapping expression, Value.Mapping rule) {
    return expression.text("message").filter(text -> !text.isEmpty()).isPresent()
        ? expression
        : expression.with("message", new Value.Text(SpecFields.message(rule)));
  }

  private static void checkNames(Value value) {
    switch (value) {
      case Value.Text(var text) -> {
        if (UNKNOWN.matcher(text).find()) {
          throw Untranslatable.value(
              value,
              "authorizer or params in CEL",
              "a ValidatingPolicy has neither; write it by hand");
        }
      }
      case Value.Mapping(var fields) -> fields.values().forEach(CelRule::checkNames);
      case Value.Sequence(var items) -> items.forEach(CelRule::checkNames);
      default -> {}
    }
  }
}
