package dev.policysync.convert;

import dev.policysync.policy.kyverno.Glob;

/// Values as strings, as Go's `fmt.Sprint` prints them, and wildcards in strings of the object.
final class Texts {
  private Texts() {}

  /// Returns the items of a list as strings. Of a nested map or list, the string says only the
  /// type.
  static String ofItems(Term list) {
    return list.kinds().contains(JsonType.LIST)
        ? list.text()
            + ".map(i, type(i) == string ? i : i == null ? \"<nil>\" : type(i) == map ? \"map[]\""
            + " : type(i) == list ? \"[]\" : string(i))"
        : "[]";
  }

  /// Returns the items of a list as strings, to compare them with another list of the object: equal
  /// maps and lists become equal strings.
  static String ofComparedItems(Term list) {
    return list.kinds().contains(JsonType.LIST)
        ? list.text()
            + ".map(i, type(i) == string ? i : i == null ? \"<nil>\" : type(i) == map || type(i) =="
            + " list ? json.marshal(dyn(i)) : string(i))"
        : "[]";
  }

  /// Tests whether a string of the object is a pattern that matches the written one.
  static Cel isPatternFor(String text, String written) {
    return Cel.call(text + ".matches(\"[*?]\")")
        .and(Cel.call(Cel.quoted(written) + ".matches(" + regex(text) + ")"));
  }

  /// Tests whether a string equals a string of the object, or matches it as a pattern.
  static Cel equalsOrMatches(String text, String pattern) {
    return Cel.comparison(pattern + " == " + text)
        .or(Cel.call(pattern + ".matches(\"[*?]\")").and(matches(text, pattern)));
  }

  /// Tests whether two strings are equal, or one is a pattern that matches the other.
  static Cel match(String one, String other) {
    var plain = one.startsWith("\"") && !Glob.isPattern(one);
    return Cel.comparison(one + " == " + other)
        .or(plain ? Cel.FALSE : Cel.call(one + ".matches(\"[*?]\")").and(matches(other, one)))
        .or(Cel.call(other + ".matches(\"[*?]\")").and(matches(one, other)));
  }

  private static Cel matches(String text, String pattern) {
    return Cel.call(text + ".matches(" + regex(pattern) + ")");
  }

  /// Returns the pattern as a regular expression, quoted apart from the wildcards.
  private static String regex(String pattern) {
    return "\"(?s)^\\\\Q\" + "
        + pattern
        + ".replace(\"\\\\E\", \"\\\\E\\\\\\\\E\\\\Q\").replace(\"*\", \"\\\\E.*\\\\Q\")"
        + ".replace(\"?\", \"\\\\E.\\\\Q\") + \"\\\\E$\"";
  }
}
