package dev.policysync.base.yaml;

import java.util.regex.Pattern;

/// The lines before a document that begin with `%`. Kubernetes' tools know `%YAML 1.1` and `%TAG`;
/// SnakeYAML ignores all other directives.
final class Directives {
  private static final Pattern KNOWN = Pattern.compile("%YAML[ \t]+1\\.1[ \t]*(#.*)?|%TAG[ \t].*");

  private Directives() {}

  /// Returns whether a section may have directives: without them, a document in the section may
  /// have another meaning.
  static boolean any(SectionText section) {
    return section.text().startsWith("%") || section.text().contains("\n%");
  }

  /// Rejects a section that has directives other than `%YAML 1.1` and `%TAG`.
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
