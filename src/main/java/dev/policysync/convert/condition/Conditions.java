package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Bindings;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Roots;
import dev.policysync.convert.expression.Untranslatable;
import java.util.List;
import java.util.Set;

/// Translates `preconditions`, and the conditions of a `deny`.
///
/// Source: Kyverno 1.19.0, pkg/engine/variables/evaluate.go: if there are `any` and `all`, both
/// have to hold; a plain list counts as `all`.
public final class Conditions {
  private static final Set<String> OF_CONDITION = Set.of("key", "message", "operator", "value");

  private Conditions() {}

  /// Translates conditions.
  ///
  /// @param holder the mapping with the conditions: a rule, or a `deny`
  /// @param field the field of the conditions in the holder
  /// @throws Untranslatable if there is no exact translation
  public static Outcome of(Value.Mapping holder, String field, Roots roots, Bindings.Names names) {
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
  public static boolean failFor(Value.Mapping holder, String field, String operation) {
    var conditions = holder.mapping(field);
    var all = conditions.fields().isEmpty() ? holder.mappings(field) : conditions.mappings("all");
    var any = conditions.mappings("any");
    if (!all.isEmpty()) {
      return any.isEmpty() && OperationTest.excludes(all.getFirst(), operation);
    }
    return !any.isEmpty()
        && any.stream().allMatch(condition -> OperationTest.excludes(condition, operation));
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
}
