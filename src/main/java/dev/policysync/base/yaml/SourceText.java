package dev.policysync.base.yaml;

import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.events.ScalarEvent;

/// How a text was written: between quotes, as a block of lines, plainly. Finds the place of a
/// character by walking along both, the text and what was written: but for white space, quotes and
/// escapes they are the same.
///
/// @param from the code point of the section with which it begins, its header or quote included
/// @param to the code point after its last one
record SourceText(SectionText section, int from, int to, ScalarStyle style) {
  static SourceText of(ScalarEvent event, SectionText section) {
    return new SourceText(
        section,
        event.getStartMark().getIndex(),
        event.getEndMark().getIndex(),
        event.getScalarStyle());
  }

  /// Where the character of that index of `text` stands, or what follows it, if it is white space;
  /// none where escapes other than for quotes are in the way.
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

  /// How many characters were written for that one; 0 if it does not stand there.
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
