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
  private final IdentityHashMap<Value.Text, WrittenText> texts = new IdentityHashMap<>();

  void put(Value value, Place place) {
    places.put(value, place);
  }

  void putNames(Value.Mapping mapping, Map<String, Place> ofFields) {
    names.put(mapping, new HashMap<>(ofFields));
  }

  void putText(Value.Text text, WrittenText written) {
    texts.put(text, written);
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

  /// Where the character of that index of `text` was written, where that was kept.
  public Optional<Place> within(Value.Text text, int index) {
    return Optional.ofNullable(texts.get(text))
        .flatMap(written -> written.place(text.text(), index));
  }
}
