package dev.policysync.judge;

import dev.policysync.base.Value;
import java.util.List;

/// What a rule does, by the field that says it: `pattern`, `verifyImages`.
public final class KindOfRule {
  private KindOfRule() {}

  /// That of a rule.
  public static String of(Value.Mapping rule) {
    for (var field : List.of("mutate", "generate", "verifyImages")) {
      if (rule.field(field).isPresent()) {
        return field;
      }
    }
    for (var field :
        List.of("cel", "pattern", "anyPattern", "deny", "foreach", "podSecurity", "manifests")) {
      if (rule.mapping("validate").field(field).isPresent()) {
        return field;
      }
    }
    return "nothing";
  }
}
