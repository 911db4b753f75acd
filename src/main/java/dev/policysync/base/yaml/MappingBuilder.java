package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The fields of a mapping while it is read: no key twice, and merge keys (`<<`) where all readers
/// agree on what they mean.
///
/// A key of its own overrides a merged one that stands above it, and of a list of merged mappings
/// the first that has a key wins. Go's reader lets a merged key override one of its own that stands
/// above the `<<`, YAML says the opposite, and two `<<` in one mapping differ in the same way:
/// refused.
final class MappingBuilder {
  private static final String MERGED_OVER =
      "a merge (<<) repeats a key defined above it, which parsers resolve differently; move the"
          + " << to the top";
  private static final String MERGED_TWICE =
      "two merges (<<) define the same key; combine them: << with a list";

  private final Map<String, Value> fields = new LinkedHashMap<>();
  private final Map<String, Key> keys = new HashMap<>();

  /// Where a key stands, or the `<<` that brought it.
  private record Key(Location location, boolean merged) {}

  /// Adds a field; `key` is where its name was written.
  void put(String name, Value value, Location key) throws YamlProblem {
    var earlier = keys.put(name, new Key(key, false));
    if (earlier != null && !earlier.merged) {
      throw new YamlProblem("duplicate key in a mapping; remove one", earlier.location, key);
    }
    fields.put(name, value);
  }

  /// Adds the fields of what follows a `<<` at `place`.
  void merge(Value value, Location location) throws YamlProblem {
    switch (value) {
      case Value.Mapping mapping -> mergeAll(List.of(mapping), location);
      case Value.Sequence(var items) -> mergeAll(items, location);
      default -> throw notMergeable(location);
    }
  }

  /// The mapping read so far.
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

  /// What follows a `<<` cannot be merged.
  static YamlProblem notMergeable(Location location) {
    return new YamlProblem("a merge (<<) requires a mapping or a list of mappings", location);
  }
}
