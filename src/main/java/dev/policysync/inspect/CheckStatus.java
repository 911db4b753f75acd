package dev.policysync.inspect;

import java.util.Locale;

/// What an answer means.
public enum CheckStatus {
  /// As it should be.
  OK,
  /// Runs work, but someone should look.
  WARNING,
  /// Runs fail, or do not do what they are for.
  FAILURE,
  /// It could not be asked: a permission that only this question needs is missing, or something
  /// before it failed, which is then told as a failure.
  UNKNOWN;

  /// `warning`.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
