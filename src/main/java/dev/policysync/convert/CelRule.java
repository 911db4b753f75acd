package dev.policysync.convert;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Translates a rule with `validate.cel` into the spec of a successor, one for each scope: where
/// autogen applies, pod controllers and CronJobs get successors of their own, with the expressions
/// that Kyverno generates for them.
///
/// Source: Kyverno 1.19.0, `validateCELHandler`, and `updateFields` of pkg/autogen/v1, which
/// replaces strings in the whole rule.
final class CelRule {
  private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE", "DELETE");
  private static final Set<String> FIELDS =
      Set.of("auditAnnotations", "expressions", "generate", "variables");
  private static final Pattern UNKNOWN = Pattern.compile("\\b(authorizer|params)\\b");
  private static final Pattern LITERAL = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern NAMESPACE =
      Pattern.compile("\\b(namespaceObject|request\\s*\\.\\s*namespace)\\b");

  private static final Set<String> EXPRESSIONS =
      Set.of("expression", "messageExpression", "valueExpression");
  private static final Pattern OBJECT = Pattern.compile("\\bobject\\b");
  private static final String DELETED =
      "cel.bind(object, request.operation == \"DELETE\" ? dyn(null) : object, ";
  private static final Pattern OLD_OBJECT = Pattern.compile("\\boldObject\\b");
  private static final String CREATED =
      "cel.bind(oldObject, request.operation == \"CREATE\" ? dyn(null) : oldObject, ";

  /// Matches a use of `request`, apart from the fields that have the same value in both forms, in
  /// requests and in background scans.
  private static final Pattern OF_REQUEST =
      Pattern.compile("\\brequest\\b(?!\\s*\\.\\s*(kind|name|namespace|operation|userInfo)\\b)");

  /// Names of match conditions that a successor may have beside those of its rule.
  private static final Set<String> CONDITIONS = Set.of("matched", "namespace");

  /// Matches an expression that is only a path: the CEL compiler cannot tell that it is a boolean.
  private static final Pattern PATH =
      Pattern.compile("\\s*(object|oldObject|variables|namespaceObject)[\\w.?\\s]*");

  /// Matches an expression that the CEL compiler knows to be a string.
  private static final Pattern STRING =
      Pattern.compile(
          "\\s*(['\"].*|string\\(.*|.*['\"]\\s*\\+.*|.*\\+\\s*['\"].*)", Pattern.DOTALL);

  private CelRule() {}

  static SuccessorSpec successorSpec(Value.Mapping rule, RuleScope scope) {
    var cel = rule.mapping("validate").mapping("cel");
    Untranslatable.checkFields(
        cel,
        FIELDS,
        _ -> "parameters of CEL",
        "a ValidatingPolicy has none; read the resource with resource.Get()");
    checkNames(cel);
    rule.items("celPreconditions").forEach(CelRule::checkNames);
    checkConditions(rule);
    checkTypes(cel);
    var match = MatchTranslation.translate(rule, scope);
    if (match.matchesNamespaces() && NAMESPACE.matcher(Json.write(rule)).find()) {
      throw Untranslatable.value(
          cel,
          "namespaceObject or request.namespace in CEL of a rule about Namespaces",
          "the legacy form has none there, and the new one the Namespace itself; use object");
    }
    var spec = new SuccessorSpec(match.resourceRules(OPERATIONS));
    var deletes = spec.judgesDeletions();
    spec.matched(match.condition(deletes ? Place.ANY_OBJECT : Place.OBJECT));
    rule.mappings("celPreconditions")
        .forEach(condition -> spec.condition(rewriteForScope(condition, scope, deletes)));
    cel.items("variables")
        .forEach(variable -> spec.variable(rewriteForScope(variable, scope, deletes)));
    var expressions = cel.mappings("expressions");
    if (expressions.isEmpty()) {
      throw Untranslatable.field(
          rule.mapping("validate"), "cel", "CEL without expressions", "write one, or remove it");
    }
    // Audit annotations are left out: Kyverno evaluates those of a legacy policy, but reports them
    // nowhere.
    expressions.forEach(expression ->
        spec.validation(rewriteForScope(withMessage(expression, rule), scope, deletes)));
    return spec;
  }

  /// Returns the value with its expressions as autogen writes them for the scope, and with the
  /// nulls of the legacy form.
  private static Value rewriteForScope(Value value, RuleScope scope, boolean deletes) {
    return withNull(scope.rewrite(value, List.of("object", "oldObject")), deletes);
  }

  /// Wraps each expression so that it sees the nulls of the legacy form: `object` is null on DELETE
  /// and `oldObject` is null on CREATE, where a ValidatingPolicy has empty maps.
  private static Value withNull(Value value, boolean deletes) {
    return switch (value) {
      case Value.Mapping(var fields) -> {
        var bound = new LinkedHashMap<String, Value>();
        fields.forEach((name, field) ->
            bound.put(
                name,
                field instanceof Value.Text(var text) && EXPRESSIONS.contains(name)
                    ? new Value.Text(withNull(text, deletes))
                    : withNull(field, deletes)));
        yield new Value.Mapping(bound);
      }
      case Value.Sequence(var items) ->
          new Value.Sequence(items.stream().map(item -> withNull(item, deletes)).toList());
      default -> value;
    };
  }

  private static String withNull(String expression, boolean deletes) {
    var bound = expression;
    if (deletes && OBJECT.matcher(expression).find()) {
      bound = DELETED + bound + ")";
    }
    return OLD_OBJECT.matcher(expression).find() ? CREATED + bound + ")" : bound;
  }

  private static void checkConditions(Value.Mapping rule) {
    for (var condition : rule.mappings("celPreconditions")) {
      if (condition.text("name").filter(CONDITIONS::contains).isPresent()) {
        throw Untranslatable.field(
            condition,
            "name",
            "a precondition called like one that the successor has",
            "give it another name than matched or namespace");
      }
    }
  }

  /// Refuses a validation that is only a path. A ValidatingPolicy is not accepted if the compiler
  /// cannot tell that a validation is a boolean; the legacy form is accepted, and always fails.
  private static void checkTypes(Value.Mapping cel) {
    for (var expression : cel.mappings("expressions")) {
      if (expression.text("expression").filter(text -> PATH.matcher(text).matches()).isPresent()) {
        throw Untranslatable.field(
            expression,
            "expression",
            "CEL that is a field alone",
            "compare it: object.spec.x == true");
      }
    }
  }

  /// Adds a message to a validation that has none, and wraps a `messageExpression` in `string()`
  /// unless the compiler already knows that it is a string.
  private static Value.Mapping withMessage(Value.Mapping written, Value.Mapping rule) {
    var expression =
        written
            .text("messageExpression")
            .filter(text -> !STRING.matcher(text).matches())
            .map(text -> written.with("messageExpression", "string(" + text + ")"))
            .orElse(written);
    return expression.text("message").filter(text -> !text.isEmpty()).isPresent()
        ? expression
        : expression.with("message", SuccessorSpec.message(rule));
  }

  private static void checkNames(Value value) {
    switch (value) {
      case Value.Mapping(var fields) ->
          fields.forEach((name, field) -> {
            if (field instanceof Value.Text(var text) && EXPRESSIONS.contains(name)) {
              checkNames(field, LITERAL.matcher(text).replaceAll("''"));
            } else {
              checkNames(field);
            }
          });
      case Value.Sequence(var items) -> items.forEach(CelRule::checkNames);
      default -> {}
    }
  }

  private static void checkNames(Value at, String expression) {
    if (UNKNOWN.matcher(expression).find()) {
      throw Untranslatable.value(
          at, "authorizer or params in CEL", "a ValidatingPolicy has neither; write it by hand");
    }
    if (OF_REQUEST.matcher(expression).find()) {
      throw Untranslatable.value(
          at,
          "a field of the request in CEL that background scans have not",
          "use request.kind, name, namespace, operation or userInfo; or write it by hand");
    }
  }
}
