package dev.policysync.http;

/// A value that no log and no message may show, such as the API's token; it prints as `***`.
///
/// Line ends and tabs are taken out wherever they stand, because a mounted file often ends with one
/// and an HTTP header must not hold any.
public final class Secret {
  private static final String HIDDEN = "***";

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /// The secret in this text.
  ///
  /// @throws IllegalArgumentException if nothing is left of it, or if it could not be sent in an
  ///   HTTP header; the message shows no part of it
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
        throw new IllegalArgumentException("holds a character that is not printable ASCII");
      }
    }
    return new Secret(value);
  }

  /// The value itself, for the one place that sends it.
  public String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
