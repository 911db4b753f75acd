package dev.policysync.cli;

/// Colours of text for people, none where nobody sees them.
public enum TextStyle {
  COLOURED,
  PLAIN;

  public String green(String text) {
    return paint("32", text);
  }

  public String yellow(String text) {
    return paint("33", text);
  }

  public String red(String text) {
    return paint("31", text);
  }

  public String bold(String text) {
    return paint("1", text);
  }

  public String dim(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
