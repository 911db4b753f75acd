package dev.policysync.convert.expression;

/// Writes a text as a CEL string: `"app.kubernetes.io/name"`.
public final class Quoted {
  private Quoted() {}

  /// Returns the text in quotes, with the characters escaped that have a meaning in CEL.
  public static String text(String text) {
    var quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            default -> {
              if (c < ' ' || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            }
          }
        });
    return quoted.append('"').toString();
  }
}
