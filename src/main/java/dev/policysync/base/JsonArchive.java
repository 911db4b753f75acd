package dev.policysync.base;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/// Mappings that are kept by the thousand. Their texts are deflated together, which takes a fifth
/// of their size; each is inflated and parsed whenever somebody looks into it.
public final class JsonArchive implements AutoCloseable {
  private final DeflatedBytes texts = new DeflatedBytes();

  /// A text that was put into an archive.
  ///
  /// @param from its first byte
  /// @param to the byte behind its last one
  /// @param ascii whether each character is one byte; else each is two, as half a pair of
  ///   surrogates fits into no encoding
  record Entry(DeflatedBytes texts, int from, int to, boolean ascii) implements CompactJson.Form {
    String text() {
      var bytes = texts.part(from, to);
      return ascii ? new String(bytes, US_ASCII) : ByteBuffer.wrap(bytes).asCharBuffer().toString();
    }
  }

  /// Puts one into it.
  public CompactJson add(Value.Mapping value) {
    var from = texts.length();
    var text = Json.write(value);
    var inAscii = text.getBytes(US_ASCII);
    var ascii = new String(inAscii, US_ASCII).equals(text);
    var bytes = ascii ? inAscii : chars(text);
    texts.write(bytes, 0, bytes.length);
    return new CompactJson(new Entry(texts, from, texts.length(), ascii));
  }

  private static byte[] chars(String text) {
    var bytes = ByteBuffer.allocate(text.length() * Character.BYTES);
    bytes.asCharBuffer().put(text);
    return bytes.array();
  }

  /// Ends what can be put into it.
  @Override
  public void close() {
    texts.close();
  }
}
