package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/// The documents of a stream that may be as large as it likes.
final class YamlDocuments {
  static final DocumentLimit NO_LIMIT = new DocumentLimit(Long.MAX_VALUE, Long.MAX_VALUE);

  private YamlDocuments() {}

  static List<YamlDocument> read(String stream) {
    return read(stream.getBytes(UTF_8));
  }

  static List<YamlDocument> read(byte[] stream) {
    var documents = new ArrayList<YamlDocument>();
    YamlStream.read(stream, NO_LIMIT, documents::add);
    return documents;
  }
}
