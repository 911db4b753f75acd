package dev.policysync.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/// Cuts a YAML stream into its documents without parsing them, so that a broken one hides no other.
///
/// A line that begins with `---`, followed by white space or nothing, always begins a document,
/// also within quotes and brackets; block text is indented and PEM lines go on with a dash. `...`
/// in the same way ends one. Comments and directives (`%YAML 1.1`) belong to the document after
/// them.
final class YamlSections {
  private final byte[] bytes;
  private final List<Section> found = new ArrayList<>();
  private int start;
  private int startLine = 1;
  private Content content = Content.NONE;

  private enum Content {
    NONE,
    DIRECTIVES,
    DOCUMENT
  }

  /// One document's bytes: from (inclusive) and to (exclusive), and the number of its first line.
  record Section(int from, int to, int firstLine) {}

  private YamlSections(byte[] bytes) {
    this.bytes = bytes;
  }

  /// The documents of a stream in UTF-8, none if there is nothing but comments.
  static List<Section> of(byte[] utf8) {
    var sections = new YamlSections(utf8);
    sections.split();
    return sections.found;
  }

  private void split() {
    int line = 1;
    for (int at = 0; at < bytes.length; line++) {
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
      found.add(new Section(start, end, startLine));
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

  /// Whether a line is a comment to its end; YAML 1.1 ends lines at three more characters.
  private boolean isComment(int from, int to) {
    var line = new String(bytes, from, to - from, UTF_8);
    return line.startsWith("#")
        && line.indexOf('\u0085') < 0
        && line.indexOf('\u2028') < 0
        && line.indexOf('\u2029') < 0;
  }

  private int nextLine(int from) {
    for (int at = from; at < bytes.length; at++) {
      if (bytes[at] == '\n'
          || (bytes[at] == '\r' && !(at + 1 < bytes.length && bytes[at + 1] == '\n'))) {
        return at + 1;
      }
    }
    return bytes.length;
  }

  private boolean isMarker(int at, char sign) {
    return at + 3 <= bytes.length
        && bytes[at] == sign
        && bytes[at + 1] == sign
        && bytes[at + 2] == sign
        && (at + 3 == bytes.length || isBlank(bytes[at + 3]));
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
