package dev.policysync.report;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/// The first few distinct items in a given order; it never holds more than that.
final class FirstOf<T> {
  private final int most;
  private final TreeSet<T> first;

  FirstOf(int most, Comparator<? super T> order) {
    this.most = most;
    this.first = new TreeSet<>(order);
  }

  void add(T one) {
    first.add(one);
    if (first.size() > most) {
      first.removeLast();
    }
  }

  List<T> all() {
    return List.copyOf(first);
  }
}
