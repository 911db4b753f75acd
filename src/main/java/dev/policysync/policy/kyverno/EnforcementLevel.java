package dev.policysync.policy.kyverno;

/// Whether a request that breaks a policy is blocked, as far as a policy's text tells.
public enum EnforcementLevel {
  NO,
  /// That depends on something that the text does not tell, such as the labels of a namespace.
  PERHAPS,
  YES
}
