package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A set of paths into an object, as a tree: `{"f:spec": {"f:rules": {}}}`.
///
/// @param self whether the path that leads here is itself in the set; written as `.` where there
///   are children, as `{}` where there are none
/// @param children what is in the set further down
public record FieldSet(boolean self, Map<PathElement, FieldSet> children) {
  /// A path that is in the set, with nothing further down: a scalar, or an atomic list or mapping.
  public static final FieldSet LEAF = new FieldSet(true, Map.of());

  /// Nothing at all.
  public static final FieldSet NONE = new FieldSet(false, Map.of());

  private static final Value NO_ITEMS = new Value.Sequence(List.of());

  private static final PathElement.Field SPEC = new PathElement.Field("spec");
  private static final PathElement.Field METADATA = new PathElement.Field("metadata");

  public FieldSet {
    children = Collections.unmodifiableMap(new LinkedHashMap<>(children));
  }

  /// What is in the set at or below that step.
  public Optional<FieldSet> child(PathElement step) {
    return Optional.ofNullable(children.get(step));
  }

  /// Whether anything of the object's spec is in the set, or may be: a first step of a form that is
  /// not known may lead there.
  public boolean ownsSpec() {
    return children.containsKey(SPEC)
        || children.keySet().stream().anyMatch(PathElement.Unknown.class::isInstance);
  }

  /// The part under `spec`, and of `metadata` what is in that set.
  FieldSet takenOverBy(FieldSet metadata) {
    var taken = new LinkedHashMap<PathElement, FieldSet>();
    child(SPEC).ifPresent(spec -> taken.put(SPEC, spec));
    var named = below(METADATA).leavesIn(metadata);
    if (!named.isEmpty()) {
      taken.put(METADATA, named);
    }
    return new FieldSet(false, taken);
  }

  /// Of this set what the other one has as a leaf.
  private FieldSet leavesIn(FieldSet other) {
    if (other.children.isEmpty()) {
      return other.self ? this : NONE;
    }
    var left = new LinkedHashMap<PathElement, FieldSet>();
    other.children.forEach((step, leaves) -> {
      var below = below(step).leavesIn(leaves);
      if (!below.isEmpty()) {
        left.put(step, below);
      }
    });
    return new FieldSet(false, left);
  }

  /// Labels and annotations of those names, under `metadata`.
  static FieldSet named(Collection<String> labels, Collection<String> annotations) {
    return leaves("labels", labels).union(leaves("annotations", annotations));
  }

  private static FieldSet leaves(String holder, Collection<String> names) {
    if (names.isEmpty()) {
      return NONE;
    }
    var leaves = new LinkedHashMap<PathElement, FieldSet>();
    names.forEach(name -> leaves.put(new PathElement.Field(name), LEAF));
    return new FieldSet(false, Map.of(new PathElement.Field(holder), new FieldSet(false, leaves)));
  }

  /// This set, of an object whose `metadata` it is.
  FieldSet ofObject() {
    return isEmpty() ? NONE : new FieldSet(false, Map.of(METADATA, this));
  }

  /// This set less everything that the other one has. The path of a mapping or list goes with the
  /// last that was in the set below it: left alone, it would read as owning all that is below.
  FieldSet minus(FieldSet other) {
    var left = new LinkedHashMap<PathElement, FieldSet>();
    children.forEach((step, below) -> {
      var rest = other.child(step).map(below::minus).orElse(below);
      if (!rest.isEmpty()) {
        left.put(step, rest);
      }
    });
    var emptied = left.isEmpty() && !children.isEmpty();
    return new FieldSet(self && !other.self && !emptied, left);
  }

  /// All paths of both sets.
  FieldSet union(FieldSet other) {
    var all = new LinkedHashMap<>(children);
    other.children.forEach((step, below) -> all.merge(step, below, FieldSet::union));
    return new FieldSet(self || other.self, all);
  }

  /// Whether every leaf of that object is in the set. Labels and annotations count by their names
  /// alone: they are granular in every kind, so that their own path without anything further down
  /// is what is left where somebody took out the last name, and owns none.
  ///
  /// @param keyed the names of lists that are not atomic, see [KeyedLists]
  boolean coversObject(Value.Mapping object, Set<String> keyed) {
    return covers(object.without("metadata"), keyed)
        && below(METADATA).coversByName(object.mapping("metadata"), keyed);
  }

  private boolean coversByName(Value.Mapping mapping, Set<String> keyed) {
    return mapping.fields().entrySet().stream()
        .allMatch(field ->
            (field.getValue() instanceof Value.Mapping within && !within.fields().isEmpty())
                ? below(new PathElement.Field(field.getKey())).coversByName(within, keyed)
                : coversField(field, keyed));
  }

  /// Whether every leaf of that value is in the set. A path without anything further down owns all
  /// that is below it: that is how atomic lists and mappings are recorded, empty ones too.
  ///
  /// A granular mapping below a key that the schema does not name would read as atomic once
  /// somebody emptied it. No kind in `PolicyKind` has such a mapping under its spec (Kyverno
  /// 1.19.0).
  ///
  /// @param keyed the names of lists that are not atomic, see [KeyedLists]
  boolean covers(Value value, Set<String> keyed) {
    if (self && children.isEmpty()) {
      return true;
    }
    return switch (value) {
      case Value.Mapping(var fields) ->
          fields.isEmpty()
              ? self
              : fields.entrySet().stream().allMatch(field -> coversField(field, keyed));
      case Value.Sequence(var items) -> items.isEmpty() ? self : coversItems(items, keyed);
      case Value.Text _, Value.Numeric _, Value.Bool _, Value.Null _ -> self;
    };
  }

  private boolean coversField(Map.Entry<String, Value> field, Set<String> keyed) {
    return (keyed.contains(field.getKey()) && field.getValue().equals(NO_ITEMS))
        || below(new PathElement.Field(field.getKey())).covers(field.getValue(), keyed);
  }

  private boolean coversItems(List<Value> items, Set<String> keyed) {
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var below = itemAt(item, i);
      if (below.isEmpty() || !below.get().covers(item, keyed)) {
        return false;
      }
    }
    return true;
  }

  private Optional<FieldSet> itemAt(Value item, int index) {
    if (!(item instanceof Value.Mapping)) {
      var named = child(new PathElement.Item(item));
      return named.isPresent() ? named : child(new PathElement.Index(index));
    }
    for (var entry : children.entrySet()) {
      if (entry.getKey() instanceof PathElement.Key key && key.names(item)) {
        return Optional.of(entry.getValue());
      }
    }
    return child(new PathElement.Index(index));
  }

  /// Whether any leaf of that value is in the set. The path of a mapping or list that holds
  /// something is none.
  boolean names(Value value) {
    return switch (value) {
      case Value.Mapping(var fields) when !fields.isEmpty() -> namesBelow(value);
      case Value.Sequence(var items) when !items.isEmpty() -> namesBelow(value);
      case Value.Mapping _,
          Value.Sequence _,
          Value.Text _,
          Value.Numeric _,
          Value.Bool _,
          Value.Null _ ->
          self;
    };
  }

  private boolean namesBelow(Value value) {
    return children.entrySet().stream()
        .anyMatch(child -> child.getKey().in(value).filter(child.getValue()::names).isPresent());
  }

  /// Whether that value has every path of the set.
  boolean within(Value value) {
    return children.entrySet().stream()
        .allMatch(child -> child.getKey().in(value).filter(child.getValue()::within).isPresent());
  }

  /// The paths at which that object's spec differs from the one that is wanted. Of a mapping or a
  /// list that is not there at all, its own path stands for all that is below it.
  ///
  /// @param keyed the names of lists that are not atomic, see [KeyedLists]
  static FieldSet differing(Value.Mapping spec, Value.Mapping wanted, Set<String> keyed) {
    var within = below(spec, wanted, keyed);
    return within.isEmpty() ? NONE : new FieldSet(false, Map.of(SPEC, within));
  }

  private static FieldSet below(Value.Mapping there, Value.Mapping wanted, Set<String> keyed) {
    var paths = new LinkedHashMap<PathElement, FieldSet>();
    there
        .fields()
        .forEach((name, value) -> {
          var other = wanted.fields().get(name);
          var found =
              switch (value) {
                case Value.Mapping mapping when other instanceof Value.Mapping as ->
                    below(mapping, as, keyed);
                case Value.Sequence list
                    when keyed.contains(name) && other instanceof Value.Sequence as ->
                    items(list, as);
                default -> value.equals(other) ? NONE : LEAF;
              };
          if (!found.isEmpty()) {
            paths.put(new PathElement.Field(name), found);
          }
        });
    return new FieldSet(false, paths);
  }

  /// The items of a list that the other one has not in that form. All lists of our kinds that have
  /// keys are keyed by `name`.
  private static FieldSet items(Value.Sequence there, Value.Sequence wanted) {
    var paths = new LinkedHashMap<PathElement, FieldSet>();
    for (var item : there.items()) {
      if (!wanted.items().contains(item)) {
        paths.put(
            item instanceof Value.Mapping mapping && mapping.field("name").isPresent()
                ? new PathElement.Key(Value.Mapping.EMPTY.with("name", mapping.field("name").get()))
                : new PathElement.Item(item),
            LEAF);
      }
    }
    return new FieldSet(false, paths);
  }

  /// Whether nothing is in the set.
  boolean isEmpty() {
    return !self && children.isEmpty();
  }

  private FieldSet below(PathElement step) {
    return children.getOrDefault(step, NONE);
  }
}
