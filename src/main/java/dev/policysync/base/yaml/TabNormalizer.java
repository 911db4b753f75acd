package dev.policysync.base.yaml;

import java.util.Optional;

/// Replaces tabs that Go's reader accepts as white space and SnakeYAML does not: `key:<tab>value`,
/// a tab after a closing quote, tabs and spaces mixed within brackets. Each tab becomes one space,
/// so locations stay correct.
final class TabNormalizer {
  private TabNormalizer() {}

  /// Replaces tabs at the start of lines in a text in brackets, such as JSON. Such tabs stand
  /// between two tokens, or in quoted text that is folded anyway.
  static SectionText replaceLeadingTabs(SectionText section) {
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

  /// Replaces the tabs around the blank at which SnakeYAML failed. Empty if Go's reader fails
  /// there, too: at the start of a line, and after `-`, `?` and `:` that begin a line.
  static Optional<SectionText> replaceTabsAround(SectionText section, int codePoint) {
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

  /// Returns whether only indicators stand before `at` on its line.
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
