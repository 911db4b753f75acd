package dev.policysync.cli;

/// Colours of text for people, none where nobody sees them.
enum Style {
  COLOURED,
  PLAIN;

  String green(String text) {
    return paint("32", text);
  }

  String yellow(String text) {
    return paint("33", text);
  }

  String red(String text) {
    return paint("31", text);
  }

  String bold(String text) {
    return paint("1", text);
  }

  String dim(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
