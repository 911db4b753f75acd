package dev.policysync.policy.kyverno;

import dev.policysync.policy.kyverno.EffectiveAction.ActionOverride;
import java.util.List;
import java.util.Optional;

/// One place where a policy states what is done to requests that break a rule.
///
/// @param path below the rule, or else below the policy's spec: `validate`,
///   `failureActionOverrides`, `[0]`, `action`
/// @param says the action and where it applies
public record ActionStatement(List<String> path, ActionOverride says) {
  public ActionStatement {
    path = List.copyOf(path);
  }

  /// Creates a statement for all namespaces.
  static ActionStatement everywhere(boolean blocks, String... path) {
    return new ActionStatement(
        List.of(path), new ActionOverride(blocks, List.of(), Optional.empty()));
  }
}
