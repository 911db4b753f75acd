package dev.policysync.base.yaml;

import dev.policysync.base.DeflatedBytes;
import java.util.Arrays;

/// The bytes of one YAML stream: as received, or deflated if the stream is long.
public sealed interface YamlBytes {
  /// The bytes as received.
  @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
  record Plain(byte[] all) implements YamlBytes {
    @Override
    public int length() {
      return all.length;
    }

    @Override
    public byte[] part(int from, int to) {
      return Arrays.copyOfRange(all, from, to);
    }
  }

  /// The deflated bytes of a long stream.
  record Deflated(DeflatedBytes bytes) implements YamlBytes {
    @Override
    public int length() {
      return bytes.length();
    }

    @Override
    public byte[] all() {
      return bytes.part(0, bytes.length());
    }

    @Override
    public byte[] part(int from, int to) {
      return bytes.part(from, to);
    }
  }

  int length();

  /// Returns all bytes. They may be created anew at each call, so use [#part] where a part is
  /// enough.
  byte[] all();

  /// Returns the bytes from offset `from` (inclusive) to offset `to` (exclusive).
  byte[] part(int from, int to);
}
