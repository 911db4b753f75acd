package dev.policysync.base.yaml;

import java.util.Optional;

/// Tabs that Go's reader takes for white space and SnakeYAML does not: `key:<tab>value`, a tab
/// after a closing quote, tabs and spaces mixed within brackets. They are made spaces, so places
/// stay true.
final class TabNormalizer {
  private TabNormalizer() {}

  /// A text in brackets, such as JSON, with spaces where lines begin with tabs: there they stand
  /// between two tokens, or in quoted text that is folded anyway.
  static SectionText inBrackets(SectionText section) {
    var text = section.text();
    var bracket = text.length() - text.stripLeading().length();
    if (text.indexOf('\t') < 0
        || !(text.startsWith("{", bracket) || text.startsWith("[", bracket))) {
      return section;
    }
    var changed = new StringBuilder(text);
    var atStart = false;
    for (int i = bracket; i < changed.length(); i++) {
      var c = changed.charAt(i);
      if (atStart && c == '\t') {
        changed.setCharAt(i, ' ');
      }
      atStart = c == '\n' || c == '\r' || (atStart && (c == ' ' || c == '\t'));
    }
    return new SectionText(changed.toString(), section.firstLine());
  }

  /// The text with spaces for the tabs around the blank at which SnakeYAML gave up; empty if Go's
  /// reader gives up there too: where a line begins, and after `-`, `?` and `:` that begin one.
  static Optional<SectionText> loosened(SectionText section, int codePoint) {
    var text = section.text();
    int from = section.offset(codePoint);
    int to = from;
    while (from > 0 && isBlank(text.charAt(from - 1))) {
      from--;
    }
    while (to < text.length() && isBlank(text.charAt(to))) {
      to++;
    }
    var blanks = text.substring(from, to);
    var inBrackets =
        section.offset(codePoint) < to && text.charAt(section.offset(codePoint)) == ' ';
    if (blanks.indexOf('\t') < 0 || (!inBrackets && beginsLine(text, from))) {
      return Optional.empty();
    }
    return Optional.of(
        new SectionText(
            text.substring(0, from) + " ".repeat(blanks.length()) + text.substring(to),
            section.firstLine()));
  }

  /// Whether nothing but indicators stands before `at` on its line.
  private static boolean beginsLine(String text, int at) {
    int i = at;
    while (i > 0 && "-?: \t".indexOf(text.charAt(i - 1)) >= 0) {
      i--;
    }
    var fromStart = i == 0 || text.charAt(i - 1) == '\n' || text.charAt(i - 1) == '\r';
    return fromStart && !text.substring(i, at).equals("---");
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
