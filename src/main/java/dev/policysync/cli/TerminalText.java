package dev.policysync.cli;

import dev.policysync.base.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Text for people, built line by line. Every appended text is made [Printable]: only [#line()]
/// ends a line, and only a [TextStyle] adds colour.
public final class TerminalText {
  private final StringBuilder text = new StringBuilder();

  public TerminalText append(String part) {
    text.append(Printable.line(part));
    return this;
  }

  public TerminalText append(long number) {
    text.append(number);
    return this;
  }

  public TerminalText append(TextStyle.Painted part) {
    text.append(part);
    return this;
  }

  public TerminalText append(TerminalText lines) {
    text.append(lines.text);
    return this;
  }

  public TerminalText line() {
    text.append('\n');
    return this;
  }

  public TerminalText line(String line) {
    return append(line).line();
  }

  /// Appends a paragraph whose lines fit the width.
  ///
  /// @param first the text before the first line, such as a bullet; the other lines are indented
  /// @param indent the width of `first`
  /// @param width in columns; 0 for one line of any length
  public TerminalText paragraph(
      TextStyle.Painted first,
      int indent,
      String paragraph,
      int width,
      Function<String, TextStyle.Painted> colour) {
    append(first);
    var lines = lines(paragraph, width == 0 ? Integer.MAX_VALUE : width - indent);
    for (int i = 0; i < lines.size(); i++) {
      append(i == 0 ? "" : " ".repeat(indent)).append(colour.apply(lines.get(i))).line();
    }
    return this;
  }

  /// Appends a command for a shell. It is continued with backslashes on further lines if it is
  /// wider than the terminal, so that it can be copied as it stands.
  ///
  /// @param width in columns; 0 for one line of any length
  public TerminalText command(String indent, String command, int width) {
    append(indent);
    var column = indent.length();
    for (var word : words(command)) {
      if (width > 0 && column > indent.length() && column + word.length() + 3 > width) {
        append("\\").line().append(indent).append("  ");
        column = indent.length() + 2;
      }
      append(word).append(" ");
      column += word.length() + 1;
    }
    text.setLength(text.length() - 1);
    return line();
  }

  /// Returns the words of a command; a space between quotes ends no word.
  private static List<String> words(String command) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    for (var part : command.split(" ", -1)) {
      word.append(word.isEmpty() ? "" : " ").append(part);
      if (word.chars().filter(character -> character == '\'').count() % 2 == 0) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }

  /// Breaks a text at spaces, and a word that is wider than a line after a slash, or anywhere.
  private static List<String> lines(String text, int width) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
      while (line.length() > width) {
        var slash = line.lastIndexOf("/", width - 1) + 1;
        var end = slash > 0 ? slash : width;
        lines.add(line.substring(0, end));
        line.delete(0, end);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
