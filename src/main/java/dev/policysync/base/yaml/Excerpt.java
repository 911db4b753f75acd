package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The range of bytes of a document in a stream of UTF-8. The document is alone between its `---`
/// marks, so the text in that range is exactly this document.
///
/// @param from the first byte; comments and the mark `---` before the document are included
/// @param to the byte after the last one
public record Excerpt(int from, int to) {
  private static final String MARK = "---";

  /// Returns the document's text without the `---` mark and everything before it, ending in a line
  /// break.
  public String textIn(byte[] utf8) {
    var text = new String(utf8, from, to - from, UTF_8);
    var own = text.substring(begin(text));
    return own.endsWith("\n") ? own : own + "\n";
  }

  /// Returns the index at which the document begins. Text after the mark on the same line may be a
  /// part of the document.
  private static int begin(String text) {
    for (int line = 0; line < text.length(); line = text.indexOf('\n', line) + 1) {
      var end = line + MARK.length();
      if (text.startsWith(MARK, line) && (end == text.length() || isBlank(text.charAt(end)))) {
        var rest = text.indexOf('\n', end);
        return rest >= 0 && text.substring(end, rest).isBlank() ? rest + 1 : end;
      }
      if (text.indexOf('\n', line) < 0) {
        return 0;
      }
    }
    return 0;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
}
