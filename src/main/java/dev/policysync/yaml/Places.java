package dev.policysync.yaml;

import java.util.IdentityHashMap;

/// Where the upper nodes of a document were written. A node is the very object, not one equal to
/// it.
public final class Places {
  private final IdentityHashMap<Value, Place> places = new IdentityHashMap<>();

  void put(Value value, Place place) {
    places.put(value, place);
  }

  /// Where `value` begins, or `fallback` where that was not kept.
  public Place of(Value value, Place fallback) {
    return places.getOrDefault(value, fallback);
  }
}
