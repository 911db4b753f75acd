package dev.policysync.lint;

/// What a sync does about hazards of policies that are new or have changed.
public enum LintMode {
  /// It does not look for any.
  OFF,
  /// Its summary names errors and warnings.
  WARN,
  /// The same, and a policy with an error is not written.
  BLOCK
}
