package dev.policysync.cli;

import dev.policysync.base.Printable;

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

  public boolean isEmpty() {
    return text.isEmpty();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
