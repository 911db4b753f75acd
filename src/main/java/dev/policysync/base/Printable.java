package dev.policysync.base;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.regex.Pattern;

/// Escapes text that a terminal or a CI log would interpret instead of showing it.
///
/// Rule names, messages, annotations and reports are untrusted text. The following parts are
/// written as a readable escape (`\u001b`):
///
/// - control characters, which move the cursor, clear the screen or end a line
/// - format characters, which change the direction of writing or are invisible (Trojan Source,
///   CVE-2021-42574), and the line separators of Unicode
/// - halves of surrogate pairs
/// - the start of a command to a CI server: `::error::` at the start of a line, `##[` and `##vso[`
///   anywhere (actions/runner, `ActionCommand`; Azure Pipelines' logging commands; TeamCity's
///   service messages)
///
/// The escapes are those of JSON, so escaping a JSON text does not change its value.
public final class Printable {
  private static final Pattern COMMAND = Pattern.compile("(?m)^(\\s*)::(?=.*::)");

  private Printable() {}

  /// Escapes one line of text, or a part of a line: line breaks and tabs are escaped, too.
  public static String line(String text) {
    return withoutCommands(
        text.codePoints().allMatch(Printable::isSafe) ? text : escaped(text, false));
  }

  /// Escapes the first `::` of each line that starts with a command to a CI server (`::error::`).
  public static String withoutCommands(String text) {
    return COMMAND.matcher(text).replaceAll("$1\\\\u003a:");
  }

  /// Escapes several lines of text: line breaks and tabs stay. This is for formats that already
  /// keep untrusted text from breaking lines, such as JSON.
  public static String lines(String text) {
    return escaped(text, true);
  }

  /// Returns a writer that escapes like [#lines(String)].
  public static Writer lines(Writer out) {
    return new Escaping(out, true);
  }

  /// Returns whether a character may stand unescaped anywhere in a line; `#` may start a command.
  private static boolean isSafe(int character) {
    return character != '#' && !isControlOrInvisible(character);
  }

  /// Returns whether a character controls the output or is invisible.
  public static boolean isControlOrInvisible(int character) {
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

  /// Escapes character by character, so that a text may arrive in pieces of any size.
  private static final class Escaping extends FilterWriter {
    private static final char NONE = 0;

    private final boolean keepsLines;

    /// The first half of a surrogate pair, or a carriage return: the next character decides whether
    /// it is escaped.
    private char held = NONE;

    /// The number of number signs written so far that may begin `##vso[`: 0, 1 or 2.
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
      if (isControlOrInvisible(Character.toCodePoint(high, low))) {
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
      if (command || (isControlOrInvisible(character) && !ofLines)) {
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
