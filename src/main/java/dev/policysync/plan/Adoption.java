package dev.policysync.plan;

/// What to do with an expected policy if a policy of that name exists and is not ours.
public enum Adoption {
  NEVER,
  /// Take the policy over if applying would change nothing but our ownership annotations; otherwise
  /// report a conflict.
  IDENTICAL,
  /// Take the policy over. A policy that another object owns (ownerReferences) is still a conflict.
  ALWAYS
}
