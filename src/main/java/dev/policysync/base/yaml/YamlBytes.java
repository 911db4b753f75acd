package dev.policysync.base.yaml;

import dev.policysync.base.DeflatedBytes;
import java.util.Arrays;

/// The bytes of one YAML stream: as they came, or deflated where there are many of them.
public sealed interface YamlBytes {
  /// As they came.
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

  /// As they are kept of a long stream.
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

  /// How many there are.
  int length();

  /// All of them. They may be made anew, so whoever can do with some asks for those.
  byte[] all();

  /// Those from (inclusive) and to (exclusive) that place.
  byte[] part(int from, int to);
}
