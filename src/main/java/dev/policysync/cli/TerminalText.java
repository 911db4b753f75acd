package dev.policysync.cli;

import dev.policysync.base.Printable;

/// Text for people, made line by line. Whatever is appended is made [Printable]: only [#line()]
/// ends a line, and only a [TextStyle] colours.
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

  /// Ends the line.
  public TerminalText line() {
    text.append('\n');
    return this;
  }

  /// Appends a line.
  public TerminalText line(String line) {
    return append(line).line();
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /// The text with its escape sequences.
  @Override
  public String toString() {
    return text.toString();
  }
}
