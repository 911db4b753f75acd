package dev.policysync.lint;

/// How a sync treats hazards in new and changed policies.
public enum LintMode {
  /// The sync does not look for hazards.
  OFF,
  /// The sync's summary lists errors and warnings.
  WARN,
  /// The sync's summary lists errors and warnings, and a policy with an error is not written.
  BLOCK
}
