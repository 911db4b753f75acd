package dev.policysync.policy.kyverno;

/// Matches Kyverno's wildcards: `*` for any characters, `?` for one.
public final class Glob {
  private Glob() {}

  public static boolean isPattern(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /// Returns whether the pattern matches the whole text.
  public static boolean matches(String pattern, String text) {
    int star = -1;
    int retry = 0;
    int p = 0;
    int t = 0;
    while (t < text.length()) {
      if (p < pattern.length()
          && pattern.charAt(p) != '*'
          && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
        p++;
        t++;
      } else if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        retry = t;
      } else if (star >= 0) {
        p = star + 1;
        t = ++retry;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
