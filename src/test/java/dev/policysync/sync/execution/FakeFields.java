package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.plan.managedfields.PathElement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An object as the paths of its leaves, the way the API server thinks of it: a list is one leaf
/// unless its items are named by a key or are a set.
final class FakeFields {
  private static final Set<String> KEYED =
      Set.of("variables", "matchConditions", "targetMatchConditions", "conditions");
  private static final Set<String> SETS = Set.of("validationActions");

  private FakeFields() {}

  /// Every leaf below a mapping, in its order.
  static Map<List<PathElement>, Value> leaves(Value.Mapping object) {
    var leaves = new LinkedHashMap<List<PathElement>, Value>();
    collect(List.of(), object, leaves);
    return leaves;
  }

  /// The mapping that has these leaves.
  static Value.Mapping object(Map<List<PathElement>, Value> leaves) {
    return leaves.isEmpty() ? Value.Mapping.EMPTY : (Value.Mapping) build(leaves);
  }

  /// The set that has these paths.
  static FieldSet set(Collection<List<PathElement>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return FieldSet.LEAF;
    }
    var below = new LinkedHashMap<PathElement, List<List<PathElement>>>();
    for (var path : paths) {
      below.computeIfAbsent(path.getFirst(), _ -> new ArrayList<>()).add(rest(path));
    }
    var children = new LinkedHashMap<PathElement, FieldSet>();
    below.forEach((step, rests) -> children.put(step, set(rests)));
    return new FieldSet(false, children);
  }

  private static void collect(
      List<PathElement> path, Value value, Map<List<PathElement>, Value> leaves) {
    switch (value) {
      case Value.Mapping(var fields) when !fields.isEmpty() || path.isEmpty() ->
          fields.forEach(
              (name, below) -> collect(then(path, new PathElement.Field(name)), below, leaves));
      case Value.Sequence(var items) when isNamed(path, KEYED) ->
          items.forEach(item -> collect(then(path, key(item)), item, leaves));
      case Value.Sequence(var items) when isNamed(path, SETS) ->
          items.forEach(item -> leaves.put(then(path, new PathElement.Item(item)), item));
      case Value.Mapping _,
          Value.Sequence _,
          Value.Text _,
          Value.Numeric _,
          Value.Bool _,
          Value.Null _ ->
          leaves.put(path, value);
    }
  }

  private static Value build(Map<List<PathElement>, Value> leaves) {
    var whole = leaves.get(List.of());
    if (whole != null) {
      return whole;
    }
    var below = new LinkedHashMap<PathElement, Map<List<PathElement>, Value>>();
    leaves.forEach((path, value) ->
        below.computeIfAbsent(path.getFirst(), _ -> new LinkedHashMap<>()).put(rest(path), value));
    var fields = new LinkedHashMap<String, Value>();
    var items = new ArrayList<Value>();
    below.forEach((step, rests) -> {
      if (step instanceof PathElement.Field(var name)) {
        fields.put(name, build(rests));
      } else {
        items.add(build(rests));
      }
    });
    return items.isEmpty() ? new Value.Mapping(fields) : new Value.Sequence(items);
  }

  private static boolean isNamed(List<PathElement> path, Set<String> names) {
    return path.getLast() instanceof PathElement.Field(var name) && names.contains(name);
  }

  private static PathElement key(Value item) {
    var name = item instanceof Value.Mapping fields ? fields.text("name").orElse("") : "";
    return new PathElement.Key(new Value.Mapping(Map.of("name", new Value.Text(name))));
  }

  private static List<PathElement> then(List<PathElement> path, PathElement step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return List.copyOf(longer);
  }

  private static List<PathElement> rest(List<PathElement> path) {
    return path.subList(1, path.size());
  }
}
