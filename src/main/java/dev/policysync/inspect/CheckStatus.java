package dev.policysync.inspect;

import java.util.Locale;

/// The severity of a check's result.
public enum CheckStatus {
  OK,
  /// Runs succeed, but somebody should look.
  WARNING,
  /// Runs fail, or do not do their job.
  FAILURE,
  /// The check could not be made: it lacks a permission that no run needs, or an earlier check
  /// failed, which is reported as a failure.
  UNKNOWN;

  /// Returns the text in the output: `warning`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
