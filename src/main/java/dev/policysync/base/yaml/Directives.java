package dev.policysync.base.yaml;

import java.util.regex.Pattern;

/// The lines before a document that begin with `%`. Kubernetes' tools know `%YAML 1.1` and `%TAG`;
/// SnakeYAML passes over the others.
final class Directives {
  private static final Pattern KNOWN = Pattern.compile("%YAML[ \t]+1\\.1[ \t]*(#.*)?|%TAG[ \t].*");

  private Directives() {}

  /// Whether a section may have some: a document in it may mean something else without them.
  static boolean any(SectionText section) {
    return section.text().startsWith("%") || section.text().contains("\n%");
  }

  /// Refuses a section that has others.
  static void check(SectionText section) throws YamlProblem {
    var text = section.text();
    int line = section.firstLine();
    for (int at = 0; at < text.length(); line++) {
      var end = text.indexOf('\n', at);
      var next = end < 0 ? text.length() : end + 1;
      var content = text.substring(at, next).stripTrailing();
      if (content.startsWith("%") && !KNOWN.matcher(content).matches()) {
        throw new YamlProblem(
            "unsupported directive (%); only %YAML 1.1 and %TAG are allowed",
            new Location(line, 1));
      }
      if (!content.isBlank() && !content.startsWith("%") && !content.startsWith("#")) {
        return;
      }
      at = next;
    }
  }
}
