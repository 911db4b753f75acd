package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// A sequence of numbers and texts in a [SpillFile], written once and then read any number of
/// times. It stores no types: the reader must read the same types in the order in which they were
/// written.
final class SpillPartition {
  private final SpillFile spillFile;
  private byte[] block = new byte[SpillFile.BLOCK];
  private int filled;

  /// The positions of the blocks in the file. They are plain numbers, because a gigabyte of results
  /// has half a million blocks.
  private long[] blocks = new long[8];

  private int count;
  private int last = SpillFile.BLOCK;

  SpillPartition(SpillFile spillFile) {
    this.spillFile = spillFile;
  }

  /// Writes a number that is not negative; small numbers take one byte.
  public void number(long value) {
    var rest = value;
    while ((rest & ~0x7FL) != 0) {
      writeByte((byte) (rest | 0x80));
      rest >>>= 7;
    }
    writeByte((byte) rest);
  }

  /// Writes any number in eight bytes.
  public void fixed(long value) {
    for (var shift = 56; shift >= 0; shift -= 8) {
      writeByte((byte) (value >>> shift));
    }
  }

  public void text(String text) {
    bytes(text.getBytes(UTF_8));
  }

  public void bytes(byte[] bytes) {
    number(bytes.length);
    for (var from = 0; from < bytes.length; ) {
      var part = Math.min(bytes.length - from, block.length - filled);
      System.arraycopy(bytes, from, block, filled, part);
      filled += part;
      from += part;
      if (filled == block.length) {
        flush();
      }
    }
  }

  private void writeByte(byte value) {
    block[filled++] = value;
    if (filled == block.length) {
      flush();
    }
  }

  private void flush() {
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    blocks[count++] = spillFile.add(block, filled);
    filled = 0;
  }

  /// Ends writing and frees the block in memory. Reading is possible from now on.
  public void end() {
    if (filled > 0) {
      last = filled;
      flush();
    }
    block = new byte[0];
  }

  public Reader reader() {
    return new Reader();
  }

  public final class Reader {
    private final byte[] buffer = new byte[Math.min(SpillFile.BLOCK, size(0))];
    private int next;
    private int at;
    private int length;

    public boolean more() {
      return at < length || next < count;
    }

    public long number() {
      long value = 0;
      for (var shift = 0; ; shift += 7) {
        var one = one();
        value |= (long) (one & 0x7F) << shift;
        if ((one & 0x80) == 0) {
          return value;
        }
      }
    }

    public int index() {
      return Math.toIntExact(number());
    }

    public long fixed() {
      long value = 0;
      for (var i = 0; i < 8; i++) {
        value = (value << 8) | (one() & 0xFF);
      }
      return value;
    }

    public String text() {
      return new String(bytes(), UTF_8);
    }

    public byte[] bytes() {
      var bytes = new byte[index()];
      for (var from = 0; from < bytes.length; ) {
        fill();
        var part = Math.min(bytes.length - from, length - at);
        System.arraycopy(buffer, at, bytes, from, part);
        at += part;
        from += part;
      }
      return bytes;
    }

    private byte one() {
      fill();
      return buffer[at++];
    }

    private void fill() {
      if (at == length) {
        if (next == count) {
          throw new IllegalStateException("read beyond the end of a partition");
        }
        length = size(next);
        spillFile.read(blocks[next], buffer, length);
        next++;
        at = 0;
      }
    }
  }

  /// Returns the size of a block; all blocks but the last are full.
  private int size(int index) {
    return index == count - 1 ? last : index < count ? SpillFile.BLOCK : 0;
  }
}
