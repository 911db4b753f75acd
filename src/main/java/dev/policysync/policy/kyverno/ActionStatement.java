package dev.policysync.policy.kyverno;

import dev.policysync.policy.kyverno.EffectiveAction.ActionOverride;
import java.util.List;
import java.util.Optional;

/// One place in a policy that states the action for requests that break a rule.
///
/// @param path the path below the rule, or below the policy's spec: `validate`,
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
