package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.List;

/// Reads lists of strings in a policy.
public final class StringLists {
  private StringLists() {}

  /// Returns the items that are strings.
  public static List<String> of(List<Value> items) {
    return items.stream()
        .filter(Value.Text.class::isInstance)
        .map(item -> ((Value.Text) item).text())
        .toList();
  }
}
