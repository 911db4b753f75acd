package dev.policysync.base.yaml;

import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.events.ScalarEvent;

/// The source of a text: in quotes, as a block of lines, or plain. The location of a character is
/// found by walking along the text and its source together: apart from white space, quotes and
/// escapes, the two are the same.
///
/// @param from the code point of the section at which the source begins, its header or quote
///   included
/// @param to the code point after the last one
record SourceText(SectionText section, int from, int to, ScalarStyle style) {
  static SourceText of(ScalarEvent event, SectionText section) {
    return new SourceText(
        section,
        event.getStartMark().getIndex(),
        event.getEndMark().getIndex(),
        event.getScalarStyle());
  }

  /// Returns the location of the character at `index` of `text`, or of the next character if that
  /// one is white space. Empty if an escape other than for quotes comes before it.
  Optional<Location> place(String text, int index) {
    var raw = section.text().substring(section.offset(from), section.offset(to));
    int at = begin(raw);
    int wanted = Math.min(index, text.stripTrailing().length());
    for (int i = 0; i < wanted; i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        at = afterBlank(raw, at);
        var width = width(raw, at, text.charAt(i));
        if (width == 0) {
          return Optional.empty();
        }
        at += width;
      }
    }
    if (wanted < text.stripTrailing().length()) {
      at = afterBlank(raw, at);
    }
    return Optional.of(
        section.placeAfter(from + raw.codePointCount(0, Math.min(at, raw.length()))));
  }

  private int begin(String raw) {
    return switch (style) {
      case LITERAL, FOLDED -> raw.indexOf('\n') + 1;
      case SINGLE_QUOTED -> raw.indexOf('\'') + 1;
      case DOUBLE_QUOTED -> raw.indexOf('"') + 1;
      default -> 0;
    };
  }

  private int afterBlank(String raw, int at) {
    int next = at;
    while (next < raw.length()
        && (Character.isWhitespace(raw.charAt(next)) || isNewline(raw, next))) {
      next += isNewline(raw, next) ? 2 : 1;
    }
    return next;
  }

  private boolean isNewline(String raw, int at) {
    return style == ScalarStyle.DOUBLE_QUOTED
        && (raw.startsWith("\\n", at) || raw.startsWith("\\\n", at));
  }

  /// Returns how many characters of the source stand for `character`; 0 if the source has another
  /// character there.
  private int width(String raw, int at, char character) {
    if (raw.startsWith("''", at) && style == ScalarStyle.SINGLE_QUOTED && character == '\'') {
      return 2;
    }
    if (raw.startsWith("\\" + character, at) && style == ScalarStyle.DOUBLE_QUOTED) {
      return 2;
    }
    return raw.startsWith(String.valueOf(character), at) ? 1 : 0;
  }
}
