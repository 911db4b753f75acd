package dev.policysync.cli;

import dev.policysync.base.Printable;

/// Colours text for people; `PLAIN` uses no colours.
public enum TextStyle {
  COLOURED,
  PLAIN;

  /// A part of a line in a colour. Its text is [Printable], so that all escape sequences are ours.
  public static final class Painted {
    private final String text;

    private Painted(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public Painted green(String text) {
    return paint("32", text);
  }

  public Painted yellow(String text) {
    return paint("33", text);
  }

  public Painted red(String text) {
    return paint("31", text);
  }

  /// For the heading of what is wrong.
  public Painted boldRed(String text) {
    return paint("1;31", text);
  }

  /// For the heading of what a person should look at.
  public Painted boldYellow(String text) {
    return paint("1;33", text);
  }

  /// For the heading of a screen that has nothing wrong to show.
  public Painted boldGreen(String text) {
    return paint("1;32", text);
  }

  public Painted bold(String text) {
    return paint("1", text);
  }

  public Painted dim(String text) {
    return paint("2", text);
  }

  public Painted plain(String text) {
    return new Painted(Printable.line(text));
  }

  private Painted paint(String code, String text) {
    var shown = Printable.line(text);
    return new Painted(this == PLAIN ? shown : "\u001b[" + code + "m" + shown + "\u001b[0m");
  }
}
