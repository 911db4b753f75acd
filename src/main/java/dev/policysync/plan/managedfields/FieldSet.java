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
/// @param self whether the path to this node is itself in the set; written as `.` if there are
///   children, as `{}` if there are none
/// @param children the parts of the set below this node
public record FieldSet(boolean self, Map<PathElement, FieldSet> children) {
  /// A path that is in the set, with nothing below: a scalar, or an atomic list or mapping.
  public static final FieldSet LEAF = new FieldSet(true, Map.of());

  public static final FieldSet NONE = new FieldSet(false, Map.of());

  private static final Value NO_ITEMS = new Value.Sequence(List.of());

  private static final PathElement.Field SPEC = new PathElement.Field("spec");
  private static final PathElement.Field METADATA = new PathElement.Field("metadata");

  public FieldSet {
    children = Collections.unmodifiableMap(new LinkedHashMap<>(children));
  }

  /// Returns the part of the set at or below this step.
  public Optional<FieldSet> child(PathElement step) {
    return Optional.ofNullable(children.get(step));
  }

  /// Returns whether any field of the object's spec is in the set, or may be: a first step of an
  /// unknown form may lead to the spec.
  public boolean ownsSpec() {
    return children.containsKey(SPEC)
        || children.keySet().stream().anyMatch(PathElement.Unknown.class::isInstance);
  }

  /// Returns the part under `spec`, and the part under `metadata` that is in the given set.
  FieldSet takenOverBy(FieldSet metadata) {
    var taken = new LinkedHashMap<PathElement, FieldSet>();
    child(SPEC).ifPresent(spec -> taken.put(SPEC, spec));
    var named = below(METADATA).leavesIn(metadata);
    if (!named.isEmpty()) {
      taken.put(METADATA, named);
    }
    return new FieldSet(false, taken);
  }

  /// Returns the part of this set at or below the leaves of the other one.
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

  /// Returns this set, taken as relative to `metadata`, as a set of the whole object.
  FieldSet ofObject() {
    return isEmpty() ? NONE : new FieldSet(false, Map.of(METADATA, this));
  }

  /// Returns this set without everything in the other one. The path of a mapping or list is removed
  /// with the last path below it: if it stayed, it would mean that everything below is owned.
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

  FieldSet union(FieldSet other) {
    var all = new LinkedHashMap<>(children);
    other.children.forEach((step, below) -> all.merge(step, below, FieldSet::union));
    return new FieldSet(self || other.self, all);
  }

  /// Returns whether every leaf of the object is in the set. Labels and annotations count by name
  /// only. They are granular in every kind: if their own path has nothing below it, a client
  /// removed the last name, and the path owns no name.
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

  /// Returns whether every leaf of the value is in the set. A path with nothing below owns
  /// everything below: atomic lists and mappings are recorded like this, empty ones too.
  ///
  /// A granular mapping below a key that is not in the schema would look atomic after a client
  /// emptied it. No kind in `PolicyKind` has such a mapping in its spec (Kyverno 1.19.0).
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

  /// Returns whether any leaf of the value is in the set. The path of a non-empty mapping or list
  /// does not count as a leaf.
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

  /// Returns whether the value has every path of the set.
  boolean within(Value value) {
    return children.entrySet().stream()
        .allMatch(child -> child.getKey().in(value).filter(child.getValue()::within).isPresent());
  }

  /// Returns the paths at which the object's spec differs from the wanted one. If a whole mapping
  /// or list is unwanted, the set contains only its own path.
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

  /// Returns the items of a list that are not in the wanted list in the same form. All keyed lists
  /// of our kinds have the key `name`.
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

  boolean isEmpty() {
    return !self && children.isEmpty();
  }

  private FieldSet below(PathElement step) {
    return children.getOrDefault(step, NONE);
  }
}
