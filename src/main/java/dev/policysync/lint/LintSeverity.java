package dev.policysync.lint;

import java.util.Locale;

/// How bad a hazard is.
public enum LintSeverity {
  /// Kyverno or the API server refuses the policy, or it stops work that it does not mean to stop.
  ERROR,
  /// It works until something else happens: an upgrade, a restart, a workload nobody thought of.
  WARNING,
  /// Worth knowing; never a reason to fail.
  NOTE;

  /// `error`, `warning` or `note`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether it is as bad as `other`, or worse.
  public boolean atLeast(LintSeverity other) {
    return compareTo(other) <= 0;
  }
}
