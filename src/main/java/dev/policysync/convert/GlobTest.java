package dev.policysync.convert;

import dev.policysync.policy.kyverno.Glob;
import java.util.List;
import java.util.regex.Pattern;

/// Translates Kyverno's wildcards into a test of a string: `nginx:*` becomes
/// `startsWith("nginx:")`.
final class GlobTest {
  private GlobTest() {}

  /// Tests whether the string that the expression yields matches the pattern.
  static Cel matches(String expression, String glob) {
    if (!Glob.isPattern(glob)) {
      return Cel.comparison(expression + " == " + Cel.quoted(glob));
    }
    var bare = glob.replaceAll("\\*+", "*");
    if (bare.equals("*")) {
      return Cel.TRUE;
    }
    if (bare.equals("?*") || bare.equals("*?")) {
      return Cel.comparison(expression + " != \"\"");
    }
    var inner = bare.replaceAll("^\\*|\\*$", "");
    if (Glob.isPattern(inner)) {
      return Cel.matches(expression, regex(bare));
    }
    var anyStart = bare.startsWith("*");
    var test = anyStart ? bare.endsWith("*") ? "contains" : "endsWith" : "startsWith";
    return Cel.call(expression + "." + test + "(" + Cel.quoted(inner) + ")");
  }

  static Cel matchesAny(String expression, List<String> globs) {
    return Cel.any(globs.stream().map(glob -> matches(expression, glob)).toList());
  }

  /// Returns the pattern in the syntax of RE2, which counts characters as Kyverno does.
  private static String regex(String glob) {
    var regex = new StringBuilder("(?s)^");
    glob.codePoints()
        .forEach(c -> {
          switch (c) {
            case '*' -> regex.append(".*");
            case '?' -> regex.append('.');
            default -> {
              var text = Character.toString(c);
              regex.append(Pattern.matches("[\\\\.+()\\[\\]{}|^$]", text) ? "\\" + text : text);
            }
          }
        });
    return regex.append('$').toString();
  }
}
