package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Builds a mapping while it is read. No key may occur twice, and merge keys (`<<`) are accepted
/// only where all readers agree on their meaning.
///
/// A key of the mapping itself overrides a merged key if it stands below the `<<`. In a list of
/// merged mappings, the first mapping that has a key wins. If a key of the mapping itself stands
/// above the `<<`, Go's reader lets the merged key override it, while YAML says the opposite;
/// readers treat two `<<` in one mapping differently, too. Both cases are rejected.
final class MappingBuilder {
  private static final String MERGED_OVER =
      "a merge (<<) repeats a key defined above it, which parsers resolve differently; move the"
          + " << to the top";
  private static final String MERGED_TWICE =
      "two merges (<<) define the same key; combine them: << with a list";

  private final Map<String, Value> fields = new LinkedHashMap<>();
  private final Map<String, Key> keys = new HashMap<>();

  /// The location of a key, or of the `<<` that added the key.
  private record Key(Location location, boolean merged) {}

  /// Adds a field; `key` is the location of its name.
  void put(String name, Value value, Location key) throws YamlProblem {
    var earlier = keys.put(name, new Key(key, false));
    if (earlier != null && !earlier.merged) {
      throw new YamlProblem("duplicate key in a mapping; remove one", earlier.location, key);
    }
    fields.put(name, value);
  }

  /// Adds the fields of `value`, which follows a `<<` at `location`.
  void merge(Value value, Location location) throws YamlProblem {
    switch (value) {
      case Value.Mapping mapping -> mergeAll(List.of(mapping), location);
      case Value.Sequence(var items) -> mergeAll(items, location);
      default -> throw notMergeable(location);
    }
  }

  Value.Mapping mapping() {
    return new Value.Mapping(fields);
  }

  private void mergeAll(List<Value> mappings, Location location) throws YamlProblem {
    Set<String> now = new HashSet<>();
    for (var item : mappings) {
      if (!(item instanceof Value.Mapping mapping)) {
        throw notMergeable(location);
      }
      for (var field : mapping.fields().entrySet()) {
        if (now.add(field.getKey())) {
          mergeOne(field.getKey(), field.getValue(), location);
        }
      }
    }
  }

  private void mergeOne(String name, Value value, Location location) throws YamlProblem {
    var earlier = keys.put(name, new Key(location, true));
    if (earlier != null) {
      throw new YamlProblem(
          earlier.merged ? MERGED_TWICE : MERGED_OVER, earlier.location, location);
    }
    fields.put(name, value);
  }

  /// Returns the problem that a value after `<<` cannot be merged.
  static YamlProblem notMergeable(Location location) {
    return new YamlProblem("a merge (<<) requires a mapping or a list of mappings", location);
  }
}
