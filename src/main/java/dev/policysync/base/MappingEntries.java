package dev.policysync.base;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields of a [Value.Mapping], in their order and unchangeable. Nearly all mappings of a
/// policy have a handful of fields: two arrays take a third of the memory of a hash map, and of
/// thousands of policies that is the larger part.
final class MappingEntries extends AbstractMap<String, Value> {
  private static final int FEW = 16;

  private final String[] names;
  private final Value[] values;

  private MappingEntries(String[] names, Value[] values) {
    this.names = names;
    this.values = values;
  }

  /// A copy that nobody can change.
  static Map<String, Value> copyOf(Map<String, Value> fields) {
    if (fields instanceof MappingEntries) {
      return fields;
    }
    if (fields.size() > FEW) {
      return Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
    var names = fields.keySet().toArray(String[]::new);
    return new MappingEntries(names, fields.values().toArray(Value[]::new));
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return indexOf(name) >= 0;
  }

  @Override
  public @Nullable Value get(@Nullable Object name) {
    var i = indexOf(name);
    return i < 0 ? null : values[i];
  }

  private int indexOf(@Nullable Object name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public Set<Map.Entry<String, Value>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<String, Value>> {
    @Override
    public int size() {
      return names.length;
    }

    @Override
    public Iterator<Map.Entry<String, Value>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < names.length;
        }

        @Override
        public Map.Entry<String, Value> next() {
          if (!hasNext()) {
            throw new NoSuchElementException("no more fields");
          }
          var i = next++;
          return Map.entry(names[i], values[i]);
        }
      };
    }
  }
}
