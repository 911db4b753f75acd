package dev.policysync.base;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.regex.Pattern;

/// Escapes what acts on a terminal or a CI log instead of being shown there.
///
/// Rule names, messages, annotations and reports are anybody's text. These are written as an escape
/// that people can read (`\u001b`):
///
/// - control characters, which move the cursor, clear the screen or end a line
/// - format characters, which turn the direction of writing or are invisible (Trojan Source,
///   CVE-2021-42574), and the line separators of Unicode
/// - halves of surrogate pairs
/// - the start of a command to a CI server: `::error::` at the start of a line, `##[` and `##vso[`
///   anywhere (actions/runner, `ActionCommand`; Azure Pipelines' logging commands; TeamCity's
///   service messages)
///
/// The escapes are JSON's own, so the value of a JSON text stays the same.
public final class Printable {
  private static final Pattern COMMAND = Pattern.compile("(?m)^(\\s*)::(?=.*::)");

  private Printable() {}

  /// One line of text, or a part of one: line breaks and tabs are escaped, too.
  public static String line(String text) {
    return withoutCommands(
        text.codePoints().allMatch(Printable::isSafe) ? text : escaped(text, false));
  }

  /// The text, of which no line starts with a command to a CI server (`::error::`).
  public static String withoutCommands(String text) {
    return COMMAND.matcher(text).replaceAll("$1\\\\u003a:");
  }

  /// Several lines: line breaks and tabs stay. For a format of its own that keeps the texts of
  /// others from breaking lines, such as JSON.
  public static String lines(String text) {
    return escaped(text, true);
  }

  /// [#lines] of what is written to the returned writer.
  public static Writer lines(Writer out) {
    return new Escaping(out, true);
  }

  /// Whether a character is shown as it is in a line of text; `#` and `[` may start a command.
  private static boolean isSafe(int character) {
    return character != '#' && !acts(character);
  }

  /// Whether a character does something or is invisible, instead of being shown.
  public static boolean acts(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static String escaped(String text, boolean keepsLines) {
    var written = new StringWriter(text.length() + 16);
    try (var escaping = new Escaping(written, keepsLines)) {
      escaping.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory write failed", e);
    }
    return written.toString();
  }

  /// Escapes character by character, wherever a text is cut into pieces.
  private static final class Escaping extends FilterWriter {
    private static final char NONE = 0;

    private final boolean keepsLines;

    /// The first half of a surrogate pair, or a carriage return: what follows decides.
    private char held = NONE;

    /// How much of `##vso[` was written: 0, 1 or 2 number signs.
    private int signs;

    private Escaping(Writer out, boolean keepsLines) {
      super(out);
      this.keepsLines = keepsLines;
    }

    @Override
    public void write(int character) throws IOException {
      next((char) character);
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      for (var i = offset; i < offset + length; i++) {
        next(characters[i]);
      }
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
      for (var i = offset; i < offset + length; i++) {
        next(text.charAt(i));
      }
    }

    @Override
    public void close() throws IOException {
      release();
      super.close();
    }

    private void next(char character) throws IOException {
      if (held == '\r' && character == '\n') {
        out.write(held);
        held = NONE;
      } else if (Character.isHighSurrogate(held) && Character.isLowSurrogate(character)) {
        var high = held;
        held = NONE;
        pair(high, character);
        return;
      }
      release();
      if (Character.isHighSurrogate(character) || (character == '\r' && keepsLines)) {
        held = character;
      } else {
        single(character);
      }
    }

    private void pair(char high, char low) throws IOException {
      signs = 0;
      if (acts(Character.toCodePoint(high, low))) {
        escape(high);
        escape(low);
      } else {
        out.write(high);
        out.write(low);
      }
    }

    private void single(char character) throws IOException {
      var command = character == '[' && signs == 2;
      signs = signs(character);
      var ofLines = keepsLines && (character == '\n' || character == '\t');
      if (command || (acts(character) && !ofLines)) {
        escape(character);
      } else {
        out.write(character);
      }
    }

    private int signs(char character) {
      if (character == '#') {
        return Math.min(signs + 1, 2);
      }
      return signs == 2 && Character.isLetter(character) ? 2 : 0;
    }

    private void release() throws IOException {
      if (held != NONE) {
        escape(held);
        held = NONE;
      }
    }

    private void escape(char character) throws IOException {
      out.write(
          switch (character) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u%04x".formatted((int) character);
          });
    }
  }
}
