package dev.policysync.policy.kyverno;

/// An enforcement level says whether a policy blocks the requests that break it, as far as the
/// policy's text shows.
public enum EnforcementLevel {
  NO,
  /// Depends on something outside the policy, such as the labels of a namespace.
  PERHAPS,
  YES
}
