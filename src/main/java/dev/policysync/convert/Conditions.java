package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Translates `preconditions`, and the conditions of a `deny`.
///
/// Source: Kyverno 1.19.0, pkg/engine/variables/evaluate.go: if there are `any` and `all`, both
/// have to hold; a plain list counts as `all`.
final class Conditions {
  private static final Set<String> OF_CONDITION = Set.of("key", "message", "operator", "value");

  /// Matches a key that is the operation of a request and nothing else.
  private static final Pattern OPERATION =
      Pattern.compile("\\{\\{\\s*request\\.operation(\\s*\\|\\|\\s*'[A-Z]+')?\\s*\\}\\}");

  private static final Pattern OPERATION_NAME = Pattern.compile("[A-Z]+");

  private Conditions() {}

  /// Translates conditions.
  ///
  /// @param holder the mapping with the conditions: a rule, or a `deny`
  /// @param field the field of the conditions in the holder
  /// @throws Untranslatable if there is no exact translation
  static Outcome of(Value.Mapping holder, String field, Roots roots, Bindings.Names names) {
    return switch (holder.fields().get(field)) {
      case null -> Outcome.HOLDS;
      case Value.Null _ -> Outcome.HOLDS;
      case Value.Mapping mapping -> anyAll(mapping, roots, names);
      case Value.Sequence(var items) -> listed(holder, field, items, roots, names);
      case Value _ ->
          throw Untranslatable.field(
              holder, field, "conditions that are no list", "write any or all");
    };
  }

  /// Returns whether the conditions certainly do not hold for requests with that operation, and
  /// Kyverno knows that before it evaluates anything else.
  static boolean failFor(Value.Mapping holder, String field, String operation) {
    var conditions = holder.mapping(field);
    var all = conditions.fields().isEmpty() ? holder.mappings(field) : conditions.mappings("all");
    var any = conditions.mappings("any");
    if (!all.isEmpty()) {
      return any.isEmpty() && excludes(all.getFirst(), operation);
    }
    return !any.isEmpty() && any.stream().allMatch(condition -> excludes(condition, operation));
  }

  /// Returns whether the condition tests the operation of a request and nothing else, and certainly
  /// does not hold for that one: `{{ request.operation || 'BACKGROUND' }}` NotEquals `DELETE`.
  private static boolean excludes(Value.Mapping condition, String operation) {
    if (condition.text("key").filter(key -> OPERATION.matcher(key).matches()).isEmpty()) {
      return false;
    }
    var values = condition.texts("value");
    var named =
        condition.text("value").map(List::of).orElse(values).stream()
            .filter(name -> OPERATION_NAME.matcher(name).matches())
            .toList();
    if (named.isEmpty()
        || (condition.text("value").isEmpty() && named.size() != condition.items("value").size())) {
      return false;
    }
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal" -> condition.text("value").isPresent() && !named.contains(operation);
      case "NotEquals", "NotEqual" ->
          condition.text("value").isPresent() && named.contains(operation);
      case "AnyIn", "AllIn" -> !named.contains(operation);
      case "AnyNotIn", "AllNotIn" -> named.contains(operation);
      default -> false;
    };
  }

  private static Outcome anyAll(Value.Mapping mapping, Roots roots, Bindings.Names names) {
    for (var part : mapping.fields().keySet()) {
      if (!Set.of("any", "all").contains(part) || mapping.items(part).isEmpty()) {
        throw Untranslatable.field(
            mapping, part, "conditions that are no list", "write a list below any or all");
      }
    }
    var all = Outcome.all(outcomes(mapping, "all", roots, names));
    if (mapping.items("any").isEmpty()) {
      return all;
    }
    var any = Outcome.any(outcomes(mapping, "any", roots, names));
    return mapping.items("all").isEmpty() ? any : any.and(all);
  }

  private static Outcome listed(
      Value.Mapping holder, String field, List<Value> items, Roots roots, Bindings.Names names) {
    if (items.stream()
        .anyMatch(item -> !(item instanceof Value.Mapping entry) || entry.field("key").isEmpty())) {
      throw Untranslatable.field(
          holder, field, "a list of any and all", "write one any or all below " + field);
    }
    return Outcome.all(outcomes(holder, field, roots, names));
  }

  private static List<Outcome> outcomes(
      Value.Mapping holder, String field, Roots roots, Bindings.Names names) {
    if (holder.mappings(field).size() < holder.items(field).size()) {
      throw Untranslatable.field(
          holder, field, "a condition that is no map", "write key, operator and value");
    }
    return holder.mappings(field).stream()
        .map(condition -> outcome(condition, roots, names))
        .toList();
  }

  private static Outcome outcome(Value.Mapping condition, Roots roots, Bindings.Names names) {
    for (var field : condition.fields().keySet()) {
      if (!OF_CONDITION.contains(field)) {
        throw Untranslatable.field(
            condition,
            field,
            "an unknown part of a condition",
            "remove " + Untranslatable.shown(field));
      }
    }
    var bindings = new Bindings(names);
    var key = Operand.of(condition, "key", roots, bindings);
    var value = Operand.of(condition, "value", roots, bindings);
    if (key.isLiteral() && value.isLiteral()) {
      throw Untranslatable.value(
          condition, "a condition without variables", "it always says the same; remove it");
    }
    var comparison = new Comparison(condition, key, value, bindings);
    comparison.checkFinal();
    var unclear =
        Cel.any(List.of(comparison.unclear(), key.holdsVariable(), value.holdsVariable()));
    var fails = key.term().error().or(value.term().error()).or(unclear);
    var holds = comparison.holds();
    // A key that cannot be evaluated is null here, and no operator holds for null.
    var certain = value.term().error().or(unclear).not();
    return new Outcome(bindings.wrap(holds.and(certain)), bindings.wrap(fails));
  }

  /// The outcome of conditions: they hold, they cannot be evaluated (`fails`), or, if neither is
  /// true, they do not hold. `holds` and `fails` are never true at once.
  record Outcome(Cel holds, Cel fails) {
    static final Outcome HOLDS = new Outcome(Cel.TRUE, Cel.FALSE);

    /// Joins outcomes by `all`: Kyverno evaluates them in order, until one does not hold.
    static Outcome all(List<Outcome> outcomes) {
      var holds = Cel.TRUE;
      var fails = Cel.FALSE;
      for (var outcome : outcomes.reversed()) {
        fails = outcome.fails.or(outcome.holds.and(fails));
        holds = outcome.holds.and(holds);
      }
      return new Outcome(holds, fails);
    }

    /// Joins outcomes by `any`: Kyverno evaluates them in order, until one holds.
    static Outcome any(List<Outcome> outcomes) {
      var holds = Cel.FALSE;
      var fails = Cel.FALSE;
      for (var outcome : outcomes.reversed()) {
        fails = outcome.fails.or(outcome.holds.not().and(fails));
        holds = outcome.holds.or(outcome.fails.not().and(holds));
      }
      return new Outcome(holds, fails);
    }

    /// Joins two outcomes that both have to hold; the second is evaluated whatever the first one
    /// says.
    Outcome and(Outcome other) {
      return new Outcome(
          holds.and(other.holds).and(fails.or(other.fails).not()), fails.or(other.fails));
    }
  }
}
