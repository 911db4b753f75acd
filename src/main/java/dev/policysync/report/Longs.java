package dev.policysync.report;

import java.util.Arrays;

/// A growing list of numbers.
final class Longs {
  private long[] values = new long[8];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
