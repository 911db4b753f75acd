package dev.policysync.base;

import java.util.Locale;

/// A value that no log and no message may show, such as the API's token; it prints as `***`.
///
/// Line ends and tabs are taken out wherever they stand, because a mounted file often ends with one
/// and an HTTP header must not hold any.
public final class Secret {
  private static final String HIDDEN = "***";

  /// In characters.
  private static final int TELLING = 8;

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
        throw new IllegalArgumentException("contains a character that is not printable ASCII");
      }
    }
    return new Secret(value);
  }

  /// The value itself, for the one place that sends it.
  public String reveal() {
    return value;
  }

  /// Whether a text holds it, as far as that can be told: a shorter one may be a name as well.
  public boolean standsIn(String text) {
    return value.length() >= TELLING && text.contains(value);
  }

  /// Whether a good part of it can be read in a text that came from elsewhere: eight characters in
  /// a row, in whatever case.
  public boolean showsIn(String text) {
    var where = text.toLowerCase(Locale.ROOT);
    var what = value.toLowerCase(Locale.ROOT);
    var part = Math.min(TELLING, what.length());
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
