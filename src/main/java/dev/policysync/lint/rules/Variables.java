package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the variables in a rule of a ClusterPolicy or Policy.
///
/// Source: Kyverno 1.19, `regex.RegexVariables`, `substituteVariablesIfAny`.
final class Variables {
  private static final Pattern VARIABLE =
      Pattern.compile("(?<![\\\\])\\{\\{((?:\\{[^{}]*\\}|[^{}])*)\\}\\}");

  private static final String BEGIN = "{{";

  private Variables() {}

  /// A variable in a text.
  ///
  /// @param query the text between the braces, with `null` in place of each nested variable
  record Variable(Node node, String query) {}

  /// Returns all variables in a node and below it, also in field names, nested variables first.
  static Stream<Variable> in(Node node) {
    return node.selfAndDescendants().stream().flatMap(Variables::of);
  }

  static Stream<Variable> of(Node node) {
    if (!mayBeIn(node.name()) && !node.isTextWith(BEGIN)) {
      return Stream.empty();
    }
    var found = new ArrayList<Variable>();
    add(node, node.name(), found);
    node.text().ifPresent(text -> add(node, text, found));
    return found.stream();
  }

  private static void add(Node node, String text, List<Variable> found) {
    var rest = text;
    for (var matcher = VARIABLE.matcher(rest); matcher.find(); matcher = VARIABLE.matcher(rest)) {
      found.add(new Variable(node, query(matcher.group(1))));
      rest = rest.substring(0, matcher.start()) + "null" + rest.substring(matcher.end());
    }
  }

  /// Returns the query of a variable. A hyphen after the braces makes Kyverno leave the resolved
  /// value as it is.
  private static String query(String text) {
    return (text.startsWith("-") && text.length() > 1 ? text.substring(1) : text).strip();
  }

  static boolean has(String text) {
    return mayBeIn(text) && VARIABLE.matcher(text).find();
  }

  /// Returns whether a text may contain a variable. Most texts have none, and a regex takes long to
  /// find nothing.
  static boolean mayBeIn(String text) {
    return text.contains(BEGIN);
  }
}
