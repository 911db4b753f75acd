package dev.policysync.inspect;

import java.util.Locale;

/// The severity of a check's result.
public enum CheckStatus {
  OK,
  /// Runs succeed, but a person should look.
  WARNING,
  /// Runs fail, or do not do their work.
  FAILURE,
  /// The check could not run: it lacks a permission that no run needs, or an earlier check failed,
  /// which is reported as a failure.
  UNKNOWN;

  /// Returns the text in the output: `warning`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
