package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// Where nodes of a document were written: the upper ones, or all of them with the names of their
/// fields (see [YamlStream]). A node is the very object, not one equal to it.
public final class NodeLocations {
  private final IdentityHashMap<Value, Location> places = new IdentityHashMap<>();
  private final IdentityHashMap<Value.Mapping, Map<String, Location>> names =
      new IdentityHashMap<>();
  private final IdentityHashMap<Value.Text, SourceText> texts = new IdentityHashMap<>();

  void put(Value value, Location location) {
    places.put(value, location);
  }

  void putNames(Value.Mapping mapping, Map<String, Location> ofFields) {
    names.put(mapping, new HashMap<>(ofFields));
  }

  void putText(Value.Text text, SourceText written) {
    texts.put(text, written);
  }

  /// Where `value` begins, or `fallback` where that was not kept.
  public Location of(Value value, Location fallback) {
    return places.getOrDefault(value, fallback);
  }

  /// Where the name of that field of `mapping` was written, where that was kept; a field that a
  /// merge (`<<`) brought has no name there.
  public Optional<Location> ofName(Value.Mapping mapping, String field) {
    return Optional.ofNullable(names.getOrDefault(mapping, Map.of()).get(field));
  }

  /// Where the character of that index of `text` was written, where that was kept.
  public Optional<Location> within(Value.Text text, int index) {
    return Optional.ofNullable(texts.get(text))
        .flatMap(written -> written.place(text.text(), index));
  }
}
