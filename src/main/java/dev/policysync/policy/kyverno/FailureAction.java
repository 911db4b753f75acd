package dev.policysync.policy.kyverno;

import java.util.Optional;

/// The action of a ClusterPolicy or Policy for requests that break a rule.
///
/// Source: `ValidationFailureAction` in Kyverno 1.19, which accepts these two words, also in lower
/// case. Any other value does not enforce.
public enum FailureAction {
  AUDIT,
  ENFORCE;

  public static Optional<FailureAction> of(String text) {
    return switch (text) {
      case "Enforce", "enforce" -> Optional.of(ENFORCE);
      case "Audit", "audit" -> Optional.of(AUDIT);
      default -> Optional.empty();
    };
  }

  public static boolean enforces(String text) {
    return of(text).equals(Optional.of(ENFORCE));
  }
}
