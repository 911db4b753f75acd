package dev.policysync.report.dedup;

import java.util.Arrays;

/// A growing list of numbers.
public final class LongList {
  private long[] values = new long[8];
  private int size;

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  public long get(int index) {
    return values[index];
  }

  public int size() {
    return size;
  }

  public long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
