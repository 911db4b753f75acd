package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/// Cuts a YAML stream into its documents without parsing them, so that a broken one hides no other.
///
/// A line that begins with `---`, followed by white space or nothing, always begins a document,
/// also within quotes and brackets; block text is indented and PEM lines go on with a dash. `...`
/// in the same way ends one. Comments and directives (`%YAML 1.1`) belong to the document after
/// them.
///
/// No more of a stream is held than the document that is being read, and a bit of the next.
final class YamlSections {
  private static final int MORE = 16 * 1024;

  private final Consumer<Section> found;

  /// What is still to be read; nothing at the end, and of bytes that are all there.
  private Optional<InputStream> rest;

  /// The bytes of the stream from [#base] on, of which there are [#filled]. Places are counted from
  /// there.
  private byte[] bytes;

  private int base;
  private int filled;
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
  /// @param bytes of the stream, those of the document among them, while it is handed over
  /// @param from where it begins in them
  /// @param length its number of bytes
  /// @param place of its first byte in the stream
  /// @param firstLine the number of its first line
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Section(byte[] bytes, int from, int length, int place, int firstLine) {}

  private YamlSections(byte[] bytes, Optional<InputStream> rest, Consumer<Section> found) {
    this.bytes = bytes;
    this.filled = bytes.length;
    this.rest = rest;
    this.found = found;
  }

  /// Hands over the documents of a stream in UTF-8, none if there is nothing but comments.
  static void of(byte[] utf8, Consumer<Section> found) {
    new YamlSections(utf8, Optional.empty(), found).split();
  }

  /// The same of a stream that is not there as a whole.
  static void of(InputStream utf8, Consumer<Section> found) {
    new YamlSections(new byte[0], Optional.of(utf8), found).split();
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
      at = next - forget();
    }
    close(filled, line);
  }

  private void close(int end, int nextLine) {
    if (content != Content.NONE) {
      found.accept(new Section(bytes, start, end - start, base + start, startLine));
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
    int at = from;
    while (has(at)) {
      for (; at < filled; at++) {
        if (bytes[at] == '\n' || (bytes[at] == '\r' && !(has(at + 1) && bytes[at + 1] == '\n'))) {
          return at + 1;
        }
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

  /// Whether the stream has a byte at that place, which is read if need be.
  private boolean has(int at) {
    while (at >= filled && rest.isPresent()) {
      readMore(rest.get());
    }
    return at < filled;
  }

  private void readMore(InputStream in) {
    if (filled == bytes.length) {
      bytes = Arrays.copyOf(bytes, filled + Math.max(MORE, filled / 2));
    }
    try {
      var read = in.read(bytes, filled, bytes.length - filled);
      if (read < 0) {
        rest = Optional.empty();
      } else {
        filled += read;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes room where documents were that have been handed over.
  ///
  /// @return by how much places are less now
  private int forget() {
    if (rest.isEmpty() || start < MORE) {
      return 0;
    }
    var forgotten = start;
    System.arraycopy(bytes, start, bytes, 0, filled - start);
    filled -= forgotten;
    base += forgotten;
    start = 0;
    return forgotten;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }
}
