package dev.policysync.base;

import java.util.Locale;

/// A value that must not appear in logs or messages, such as the API token. It prints as `***`.
///
/// Line breaks and tabs are removed anywhere in the value, because a mounted file often ends with a
/// line break and an HTTP header must not contain any.
public final class Secret {
  private static final String HIDDEN = "***";

  /// The number of characters in a row by which a secret can be recognized.
  private static final int RECOGNIZABLE_LENGTH = 8;

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /// Creates a secret from a text.
  ///
  /// @throws IllegalArgumentException if no character is left, or if the secret cannot be sent in
  ///   an HTTP header; the message shows no part of the secret
  public static Secret of(String text) {
    var kept = new StringBuilder(text.length());
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c != '\r' && c != '\n' && c != '\t') {
        kept.append(c);
      }
    }
    var value = kept.toString().strip();
    if (value.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    for (var i = 0; i < value.length(); i++) {
      var c = value.charAt(i);
      if (c < ' ' || c > '~') {
        throw new IllegalArgumentException("contains a character that is not printable ASCII");
      }
    }
    return new Secret(value);
  }

  /// Returns the value in clear text, for the one place that sends it.
  public String reveal() {
    return value;
  }

  /// Returns whether a text contains the secret. A secret of fewer than eight characters is never
  /// found, because it may also be a name.
  public boolean isContainedIn(String text) {
    return value.length() >= RECOGNIZABLE_LENGTH && text.contains(value);
  }

  /// Returns whether a text from elsewhere contains a recognizable part of the secret: eight
  /// characters in a row, ignoring case.
  public boolean isRecognizableIn(String text) {
    var where = text.toLowerCase(Locale.ROOT);
    var what = value.toLowerCase(Locale.ROOT);
    var part = Math.min(RECOGNIZABLE_LENGTH, what.length());
    for (var i = 0; i + part <= what.length(); i++) {
      if (where.contains(what.substring(i, i + part))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
