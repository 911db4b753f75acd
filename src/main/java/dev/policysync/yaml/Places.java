package dev.policysync.yaml;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// Where nodes of a document were written: the upper ones, or all of them with the names of their
/// fields (see [YamlStream]). A node is the very object, not one equal to it.
public final class Places {
  private final IdentityHashMap<Value, Place> places = new IdentityHashMap<>();
  private final IdentityHashMap<Value.Mapping, Map<String, Place>> names = new IdentityHashMap<>();

  void put(Value value, Place place) {
    places.put(value, place);
  }

  void putNames(Value.Mapping mapping, Map<String, Place> ofFields) {
    names.put(mapping, new HashMap<>(ofFields));
  }

  /// Where `value` begins, or `fallback` where that was not kept.
  public Place of(Value value, Place fallback) {
    return places.getOrDefault(value, fallback);
  }

  /// Where the name of that field of `mapping` was written, where that was kept; a field that a
  /// merge (`<<`) brought has no name there.
  public Optional<Place> ofName(Value.Mapping mapping, String field) {
    return Optional.ofNullable(names.getOrDefault(mapping, Map.of()).get(field));
  }
}
