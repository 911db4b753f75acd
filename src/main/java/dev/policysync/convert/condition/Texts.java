package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Kind;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.Term;
import dev.policysync.policy.kyverno.Glob;

/// Values as the texts that Go's `fmt.Sprint` makes of them, and wildcards in the object itself.
final class Texts {
  private Texts() {}

  /// The items of a list as texts. Of maps and lists in it only that they are such is said.
  static String ofItems(Term list) {
    return list.kinds().contains(Kind.LIST)
        ? list.text()
            + ".map(i, type(i) == string ? i : i == null ? \"<nil>\" : type(i) == map ? \"map[]\""
            + " : type(i) == list ? \"[]\" : string(i))"
        : "[]";
  }

  /// The same, for lists of which both are of objects: maps and lists are the same text if they are
  /// the same.
  static String ofComparedItems(Term list) {
    return list.kinds().contains(Kind.LIST)
        ? list.text()
            + ".map(i, type(i) == string ? i : i == null ? \"<nil>\" : type(i) == map || type(i) =="
            + " list ? json.marshal(dyn(i)) : string(i))"
        : "[]";
  }

  /// Whether a text of the object is a pattern for that written one.
  static Cel isPatternFor(String text, String written) {
    return Cel.call(text + ".matches(\"[*?]\")")
        .and(Cel.call(Quoted.text(written) + ".matches(" + regex(text) + ")"));
  }

  /// Whether a text is what a pattern of the object stands for, or the same.
  static Cel isWhatStandsFor(String text, String pattern) {
    return Cel.comparison(pattern + " == " + text)
        .or(Cel.call(pattern + ".matches(\"[*?]\")").and(matches(text, pattern)));
  }

  /// Whether two texts are the same, or one is a pattern for the other one.
  static Cel match(String one, String other) {
    var plain = one.startsWith("\"") && !Glob.isPattern(one);
    return Cel.comparison(one + " == " + other)
        .or(plain ? Cel.FALSE : Cel.call(one + ".matches(\"[*?]\")").and(matches(other, one)))
        .or(Cel.call(other + ".matches(\"[*?]\")").and(matches(one, other)));
  }

  private static Cel matches(String text, String pattern) {
    return Cel.call(text + ".matches(" + regex(pattern) + ")");
  }

  /// Quoted as a whole, apart from the wildcards.
  private static String regex(String pattern) {
    return "\"(?s)^\\\\Q\" + "
        + pattern
        + ".replace(\"\\\\E\", \"\\\\E\\\\\\\\E\\\\Q\").replace(\"*\", \"\\\\E.*\\\\Q\")"
        + ".replace(\"?\", \"\\\\E.\\\\Q\") + \"\\\\E$\"";
  }
}
