package dev.policysync.lint;

import java.util.Locale;

/// How severe a hazard is.
public enum LintSeverity {
  /// Kyverno or the API server rejects the policy, or the policy blocks work that it is not meant
  /// to block.
  ERROR,
  /// The policy works until something else happens: an upgrade, a restart, an unforeseen workload.
  WARNING,
  /// The finding is worth knowing, and never a reason to fail.
  NOTE;

  /// Returns `error`, `warning` or `note`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns whether this severity is equal to `other` or worse.
  public boolean atLeast(LintSeverity other) {
    return compareTo(other) <= 0;
  }
}
