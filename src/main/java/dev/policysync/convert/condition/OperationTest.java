package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import java.util.List;
import java.util.regex.Pattern;

/// Recognizes a condition that tests the operation of a request and nothing else: `{{
/// request.operation || 'BACKGROUND' }}` NotEquals `DELETE`.
final class OperationTest {
  private static final Pattern KEY =
      Pattern.compile("\\{\\{\\s*request\\.operation(\\s*\\|\\|\\s*'[A-Z]+')?\\s*\\}\\}");
  private static final Pattern NAME = Pattern.compile("[A-Z]+");

  private OperationTest() {}

  /// Returns whether the condition certainly does not hold for that operation.
  static boolean excludes(Value.Mapping condition, String operation) {
    if (condition.text("key").filter(key -> KEY.matcher(key).matches()).isEmpty()) {
      return false;
    }
    var values = condition.texts("value");
    var named =
        condition.text("value").map(List::of).orElse(values).stream()
            .filter(name -> NAME.matcher(name).matches())
            .toList();
    if (named.isEmpty()
        || (condition.text("value").isEmpty() && named.size() != condition.items("value").size())) {
      return false;
    }
    return switch (condition.text("operator").orElse("")) {
      case "Equals", "Equal" -> condition.text("value").isPresent() && !named.contains(operation);
      case "NotEquals", "NotEqual" ->
          condition.text("value").isPresent() && named.contains(operation);
      case "AnyIn", "AllIn" -> !named.contains(operation);
      case "AnyNotIn", "AllNotIn" -> named.contains(operation);
      default -> false;
    };
  }
}
