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

/// Lets a run, which looks at feed, cluster and memory at the same time, do so one after the other:
/// so a fault happens at the same place in every run.
final class InTurn {
  /// A run looks at most twice, without the Lease and under it; then it lists alone.
  private static final int LOOKS = 2;

  private final List<PolicyKind> kinds;
  private final Set<PolicyKind> listedKinds = EnumSet.noneOf(PolicyKind.class);
  private int feeds;
  private int lists;
  private int listed;
  private int recalls;

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
      var turn = Math.min(++lists, LOOKS);
      await(() -> feeds >= turn);
      listedKinds.clear();
      listedKinds.addAll(known);
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
      var turn = Math.min(++recalls, LOOKS);
      await(() -> listed >= turn);
    }
    return read.get();
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
