package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Consumer;

/// Splits a YAML stream into its documents without parsing them, so that an invalid document does
/// not hide the others.
///
/// A line that begins with `---`, followed by white space or nothing, always begins a document,
/// even within quotes and brackets: block text is indented, and PEM lines continue with a dash. A
/// line that begins with `...` in the same way ends a document. Comments and directives (`%YAML
/// 1.1`) belong to the document after them.
final class YamlSections {
  private final Consumer<Section> found;

  private final byte[] bytes;
  private int start;
  private int startLine = 1;
  private Content content = Content.NONE;

  private enum Content {
    NONE,
    DIRECTIVES,
    DOCUMENT
  }

  /// One document.
  ///
  /// @param bytes the whole stream
  /// @param from the position of the document's first byte
  /// @param length the document's length in bytes
  /// @param firstLine the number of its first line
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Section(byte[] bytes, int from, int length, int firstLine) {}

  private YamlSections(byte[] bytes, Consumer<Section> found) {
    this.bytes = bytes;
    this.found = found;
  }

  /// Passes each document of a UTF-8 stream to `found`; a stream of comments has no documents.
  static void of(byte[] utf8, Consumer<Section> found) {
    new YamlSections(utf8, found).split();
  }

  private void split() {
    int line = 1;
    for (int at = 0; has(at); line++) {
      var next = nextLine(at);
      if (isMarker(at, '-')) {
        if (content == Content.DOCUMENT) {
          close(at, line);
        }
        content = Content.DOCUMENT;
      } else if (isMarker(at, '.')) {
        close(next, line + 1);
      } else {
        content = with(at, next);
      }
      at = next;
    }
    close(bytes.length, line);
  }

  private void close(int end, int nextLine) {
    if (content != Content.NONE) {
      found.accept(new Section(bytes, start, end - start, startLine));
    }
    start = end;
    startLine = nextLine;
    content = Content.NONE;
  }

  private Content with(int from, int to) {
    if (content == Content.DOCUMENT) {
      return content;
    }
    if (bytes[from] == '%') {
      return Content.DIRECTIVES;
    }
    int at = from;
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
    return at == to || isComment(at, to) ? content : Content.DOCUMENT;
  }

  /// Returns whether the whole line is a comment. In YAML 1.1, three more characters end a line.
  private boolean isComment(int from, int to) {
    var line = new String(bytes, from, to - from, UTF_8);
    return line.startsWith("#")
        && line.indexOf('\u0085') < 0
        && line.indexOf('\u2028') < 0
        && line.indexOf('\u2029') < 0;
  }

  private int nextLine(int from) {
    int at = from;
    for (; has(at); at++) {
      if (bytes[at] == '\n' || (bytes[at] == '\r' && !(has(at + 1) && bytes[at + 1] == '\n'))) {
        return at + 1;
      }
    }
    return at;
  }

  private boolean isMarker(int at, char sign) {
    return has(at + 2)
        && bytes[at] == sign
        && bytes[at + 1] == sign
        && bytes[at + 2] == sign
        && (!has(at + 3) || isBlank(bytes[at + 3]));
  }

  private boolean has(int at) {
    return at < bytes.length;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
