package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// The locations of the nodes of a document: of the upper nodes, or of all nodes and field names
/// (see [YamlStream]). A node is identified by its object, not by equality.
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

  /// Returns where `value` begins, or `fallback` if that location was not recorded.
  public Location of(Value value, Location fallback) {
    return places.getOrDefault(value, fallback);
  }

  /// Returns the location of the name of `field` in `mapping`, if it was recorded. A field that a
  /// merge (`<<`) added has no name in the mapping.
  public Optional<Location> ofName(Value.Mapping mapping, String field) {
    return Optional.ofNullable(names.getOrDefault(mapping, Map.of()).get(field));
  }

  /// Returns the location of the character at `index` of `text`, if it was recorded.
  public Optional<Location> ofCharacter(Value.Text text, int index) {
    return Optional.ofNullable(texts.get(text))
        .flatMap(written -> written.place(text.text(), index));
  }
}
