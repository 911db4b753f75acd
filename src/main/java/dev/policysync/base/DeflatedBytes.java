package dev.policysync.base;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Many bytes that are kept for long and looked at in pieces. They are deflated in blocks, each by
/// itself, so that a piece costs no more than the blocks that it is in. Policies take a sixth of
/// their size then, whether as YAML or as JSON.
///
/// Who writes them may read them at any time, others after [#close].
public final class DeflatedBytes extends OutputStream {
  /// One of 32 KB would take a third less room, and four times as long for a single piece.
  private static final int BLOCK = 8 * 1024;

  private final List<byte[]> blocks = new ArrayList<>();
  private @Nullable Deflater deflater;

  /// The block that is being written.
  private byte[] unfinished = new byte[0];

  private int length;
  private boolean closed;

  /// What was inflated last: whoever asks for one piece asks for its neighbour next.
  private volatile Inflated last = new Inflated(-1, new byte[0]);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Inflated(int number, byte[] bytes) {}

  /// How many there are.
  public int length() {
    return length;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    if (unfinished.length == 0 && count > 0) {
      unfinished = new byte[BLOCK];
    }
    for (int done = 0; done < count; ) {
      var within = length % BLOCK;
      var copied = Math.min(BLOCK - within, count - done);
      System.arraycopy(bytes, offset + done, unfinished, within, copied);
      length += copied;
      done += copied;
      if (length % BLOCK == 0) {
        deflate(BLOCK);
      }
    }
  }

  /// Ends what can be written.
  @Override
  public void close() {
    if (length > blocks.size() * BLOCK) {
      deflate(length - blocks.size() * BLOCK);
    }
    closed = true;
    unfinished = new byte[0];
    if (deflater != null) {
      deflater.end();
    }
  }

  private void deflate(int count) {
    var deflater = ready();
    deflater.setInput(unfinished, 0, count);
    deflater.finish();
    var deflated = new byte[count + 64]; // what cannot be deflated grows a little
    var size = deflater.deflate(deflated);
    if (!deflater.finished()) {
      throw new IllegalStateException("a block grows when it is deflated; a bug");
    }
    blocks.add(Arrays.copyOf(deflated, size));
  }

  /// It takes a quarter of a megabyte, so there is none for what turns out to be nothing.
  private Deflater ready() {
    if (deflater == null) {
      deflater = new Deflater(Deflater.BEST_SPEED, true);
    } else {
      deflater.reset();
    }
    return deflater;
  }

  /// Those from (inclusive) and to (exclusive) that place.
  public byte[] part(int from, int to) {
    Objects.checkFromToIndex(from, to, length);
    var part = new byte[to - from];
    for (int at = from; at < to; ) {
      at += copy(at, part, at - from, to - at);
    }
    return part;
  }

  /// All of them, a block at a time.
  public InputStream inputStream() {
    return new InputStream() {
      private int at;

      @Override
      public int read() {
        var next = new byte[1];
        return read(next, 0, 1) < 0 ? -1 : next[0] & 0xFF;
      }

      @Override
      public int read(byte[] into, int offset, int most) {
        if (at == length) {
          return -1;
        }
        var copied = copy(at, into, offset, Math.min(most, length - at));
        at += copied;
        return copied;
      }
    };
  }

  /// Copies some of the bytes at that place, as many as the block has.
  private int copy(int at, byte[] into, int offset, int most) {
    var within = at % BLOCK;
    var copied = Math.min(BLOCK - within, most);
    System.arraycopy(block(at / BLOCK), within, into, offset, copied);
    return copied;
  }

  private byte[] block(int number) {
    if (number == blocks.size()) {
      return unfinished;
    }
    var known = last;
    if (known.number() == number) {
      return known.bytes();
    }
    var bytes = inflated(blocks.get(number), Math.min(BLOCK, length - number * BLOCK));
    last = new Inflated(number, bytes);
    return bytes;
  }

  private static byte[] inflated(byte[] block, int length) {
    var inflater = new Inflater(true);
    try {
      inflater.setInput(block);
      var bytes = new byte[length];
      if (inflater.inflate(bytes) != length || !inflater.finished()) {
        throw new IllegalStateException("what was deflated here has another length now; a bug");
      }
      return bytes;
    } catch (DataFormatException e) {
      throw new IllegalStateException("what was deflated here cannot be inflated; a bug", e);
    } finally {
      inflater.end();
    }
  }
}
