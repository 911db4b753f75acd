package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import java.util.ArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where a rule of a ClusterPolicy or Policy has variables, and what they ask for.
///
/// Source: Kyverno 1.19, `regex.RegexVariables`, `substituteVariablesIfAny`.
final class Variables {
  private static final Pattern VARIABLE =
      Pattern.compile("(?<![\\\\])\\{\\{((?:\\{[^{}]*\\}|[^{}])*)\\}\\}");

  private Variables() {}

  /// A variable in a text.
  ///
  /// @param query what stands between the braces; what was resolved before it is `null` in it
  record Variable(Node node, String query) {}

  /// All in these nodes and below, in their keys too, from the inside out.
  static Stream<Variable> in(Node node) {
    return node.everything()
        .flatMap(part -> {
          var name = part.name().contains("{{") ? of(part, part.name()) : Stream.<Variable>empty();
          return Stream.concat(name, part.text().stream().flatMap(text -> of(part, text)));
        });
  }

  private static Stream<Variable> of(Node node, String text) {
    var found = new ArrayList<Variable>();
    var rest = text;
    for (var matcher = VARIABLE.matcher(rest); matcher.find(); matcher = VARIABLE.matcher(rest)) {
      found.add(new Variable(node, query(matcher.group(1))));
      rest = rest.substring(0, matcher.start()) + "null" + rest.substring(matcher.end());
    }
    return found.stream();
  }

  /// A hyphen after the braces has Kyverno leave what comes of it as it is.
  private static String query(String text) {
    return (text.startsWith("-") && text.length() > 1 ? text.substring(1) : text).strip();
  }

  static boolean has(String text) {
    return VARIABLE.matcher(text).find();
  }
}
