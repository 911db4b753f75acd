package dev.policysync.policy.feed;

/// Checks names as Kubernetes does (RFC 1123): `team-label`, `team-label.v2`.
final class ObjectNames {
  private ObjectNames() {}

  /// Returns whether a text can name an object: labels joined by dots, at most 253 characters.
  static boolean isSubdomain(String name) {
    if (name.length() > 253) {
      return false;
    }
    for (var label : name.split("\\.", -1)) {
      if (!isMadeOfLabelCharacters(label)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether a text can name a namespace: lower-case letters, digits and dashes, at most 63
  /// characters.
  static boolean isLabel(String name) {
    return name.length() <= 63 && isMadeOfLabelCharacters(name);
  }

  private static boolean isMadeOfLabelCharacters(String label) {
    for (int i = 0; i < label.length(); i++) {
      var c = label.charAt(i);
      var inner = i > 0 && i < label.length() - 1;
      if (!isLetterOrDigit(c) && !(c == '-' && inner)) {
        return false;
      }
    }
    return !label.isEmpty();
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
