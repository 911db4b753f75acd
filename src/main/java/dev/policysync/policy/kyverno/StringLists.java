package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.List;

/// Lists of strings in a policy.
public final class StringLists {
  private StringLists() {}

  /// The items that are strings.
  public static List<String> of(List<Value> items) {
    return items.stream()
        .filter(Value.Text.class::isInstance)
        .map(item -> ((Value.Text) item).text())
        .toList();
  }
}
