package dev.policysync.singlefault;

import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Lets a run, which looks at feed, memory and cluster at the same time, do so one after the other:
/// so a fault happens at the same place in every run. Without the Lease it waits by itself for the
/// memory before it lists.
final class InTurn {
  /// A run looks at most twice, without the Lease and under it; then it lists alone.
  private static final int LOOKS = 2;

  private final List<PolicyKind> kinds;
  private final Set<PolicyKind> listedKinds = EnumSet.noneOf(PolicyKind.class);
  private int feeds;
  private int lists;
  private int listed;
  private int recalled;

  /// @param kinds whose lists are to come one after the other, in that order
  InTurn(Collection<PolicyKind> kinds) {
    this.kinds = List.copyOf(kinds);
  }

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

  /// @param known the kinds that this look does not list anew
  <T> T list(Set<PolicyKind> known, Supplier<T> read) {
    synchronized (this) {
      var number = ++lists;
      var turn = Math.min(number, LOOKS);
      await(() -> feeds >= turn && (number != LOOKS || recalled > 0));
      listedKinds.clear();
      listedKinds.addAll(known);
    }
    try {
      return read.get();
    } finally {
      synchronized (this) {
        listed++;
        recalled = 0;
        notifyAll();
      }
    }
  }

  /// What a run without the Lease lists where feed and cluster agreed lately. If they no longer do,
  /// it lists everything next.
  <T> T listServed(Supplier<T> read) {
    synchronized (this) {
      await(() -> feeds >= 1);
      listedKinds.clear();
    }
    return read.get();
  }

  /// One of the lists of a look, which may be under way at the same time.
  <T> T list(PolicyKind kind, Supplier<T> read) {
    synchronized (this) {
      await(() -> listedKinds.containsAll(kinds.subList(0, kinds.indexOf(kind))));
    }
    try {
      return read.get();
    } finally {
      synchronized (this) {
        listedKinds.add(kind);
        notifyAll();
      }
    }
  }

  <T> T recall(Supplier<T> read) {
    synchronized (this) {
      var turn = Math.min(listed + 1, LOOKS);
      await(() -> feeds >= turn);
    }
    try {
      return read.get();
    } finally {
      synchronized (this) {
        recalled++;
        notifyAll();
      }
    }
  }

  private synchronized void await(BooleanSupplier turn) {
    var end = System.nanoTime() + TimeLimits.WAIT.toNanos();
    try {
      while (!turn.getAsBoolean()) {
        var left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0) {
          throw new IllegalStateException("a run does not look at feed, cluster and memory");
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
