package dev.policysync.policy.kyverno;

/// Whether a request that breaks a policy is blocked, as far as the policy's text shows.
public enum EnforcementLevel {
  NO,
  /// Depends on something outside the policy, such as the labels of a namespace.
  PERHAPS,
  YES
}
