package dev.policysync.policy.kyverno;

/// Whether a request that breaks a policy is blocked, as far as the policy's text tells.
public enum EnforcementLevel {
  NO,
  /// Depends on something that the text does not tell, such as the labels of a namespace.
  PERHAPS,
  YES
}
