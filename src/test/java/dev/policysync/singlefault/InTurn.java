package dev.policysync.singlefault;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Lets a run, which looks at feed, cluster and memory at the same time, do so one after the other:
/// so a fault happens at the same place in every run.
final class InTurn {
  /// A run looks at most twice, without the Lease and under it; then it lists alone.
  private static final int LOOKS = 2;

  private int feeds;
  private int lists;
  private int listed;
  private int recalls;

  <T> T feed(Supplier<T> read) {
    try {
      return read.get();
    } finally {
      synchronized (this) {
        feeds++;
        notifyAll();
      }
    }
  }

  <T> T list(Supplier<T> read) {
    synchronized (this) {
      var turn = Math.min(++lists, LOOKS);
      await(() -> feeds >= turn);
    }
    try {
      return read.get();
    } finally {
      synchronized (this) {
        listed++;
        notifyAll();
      }
    }
  }

  <T> T recall(Supplier<T> read) {
    synchronized (this) {
      var turn = Math.min(++recalls, LOOKS);
      await(() -> listed >= turn);
    }
    return read.get();
  }

  private synchronized void await(BooleanSupplier turn) {
    try {
      while (!turn.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
