package dev.policysync.impact;

import dev.policysync.json.Value;
import java.util.List;

/// Lists of strings in a policy.
final class StringLists {
  private StringLists() {}

  static List<String> of(List<Value> items) {
    return items.stream()
        .filter(Value.Text.class::isInstance)
        .map(item -> ((Value.Text) item).text())
        .toList();
  }
}
