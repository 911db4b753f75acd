package dev.policysync.policy.kyverno;

import java.util.Optional;

/// What a ClusterPolicy or Policy has done to requests that break a rule.
///
/// Source: `ValidationFailureAction` in Kyverno 1.19, which takes these two words, and both in
/// lower case; whatever else stands there does not enforce.
public enum FailureAction {
  AUDIT,
  ENFORCE;

  /// The action of that name, if it is one.
  public static Optional<FailureAction> of(String text) {
    return switch (text) {
      case "Enforce", "enforce" -> Optional.of(ENFORCE);
      case "Audit", "audit" -> Optional.of(AUDIT);
      default -> Optional.empty();
    };
  }

  /// Whether that name is the one that blocks.
  public static boolean enforces(String text) {
    return of(text).equals(Optional.of(ENFORCE));
  }
}
