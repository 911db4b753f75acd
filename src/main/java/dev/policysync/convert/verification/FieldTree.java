package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The fields that expressions read, and the values that they are compared with, as a pattern from
/// which objects are made.
final class FieldTree {
  private final Map<String, FieldTree> fields = new LinkedHashMap<>();
  private final Set<String> literals = new LinkedHashSet<>();
  private Optional<FieldTree> item = Optional.empty();

  FieldTree field(String name) {
    return fields.computeIfAbsent(name, _ -> new FieldTree());
  }

  FieldTree item() {
    if (item.isEmpty()) {
      item = Optional.of(new FieldTree());
    }
    return item.orElseThrow();
  }

  boolean hasItem() {
    return item.isPresent();
  }

  void compared(String literal) {
    literals.add(literal);
  }

  Value pattern() {
    if (item.isPresent()) {
      return new Value.Sequence(java.util.List.of(item.orElseThrow().pattern()));
    }
    if (!fields.isEmpty()) {
      var mapping = Value.Mapping.EMPTY;
      for (var field : fields.entrySet()) {
        mapping = mapping.with(field.getKey(), field.getValue().pattern());
      }
      return mapping;
    }
    return new Value.Text(literals.isEmpty() ? "x" : String.join("|", literals));
  }

  /// Merges two patterns; where both have a value, the first one's counts.
  static Value merged(Value one, Value other) {
    if (one instanceof Value.Mapping first && other instanceof Value.Mapping second) {
      var merged = first;
      for (var field : second.fields().entrySet()) {
        var key = keyOf(first, field.getKey());
        merged =
            merged.with(
                key,
                first.fields().containsKey(key)
                    ? merged(first.fields().get(key), field.getValue())
                    : field.getValue());
      }
      return merged;
    }
    if (one instanceof Value.Sequence(var items)
        && other instanceof Value.Sequence(var others)
        && items.size() == 1
        && others.size() == 1) {
      return new Value.Sequence(java.util.List.of(merged(items.getFirst(), others.getFirst())));
    }
    return one;
  }

  private static String keyOf(Value.Mapping pattern, String name) {
    return pattern.fields().keySet().stream()
        .filter(key -> key.replaceAll("^[+<=X^]?\\((.+)\\)$", "$1").equals(name))
        .findFirst()
        .orElse(name);
  }
}
