package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.time.Duration;
import java.util.Optional;

/// One of several locks over one record, by the rules of a Lease: [SyncLockContract] holds it to
/// them.
public final class FakeSyncLock implements SyncLock {
  private static final Duration DURATION = Duration.ofSeconds(60);
  private static final Duration SAFE = Duration.ofSeconds(48);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final SharedRecord shared;
  private final String identity;
  private final FakeTime time;
  private Optional<Failure> unavailable = Optional.empty();

  public FakeSyncLock(SharedRecord shared, String identity, FakeTime time) {
    this.shared = shared;
    this.identity = identity;
    this.time = time;
  }

  /// Who holds the lock, for all who compete for it.
  public static final class SharedRecord {
    private String holder = "";
    private int writes;

    /// Nobody's name where it is free.
    public synchronized String holder() {
      return holder;
    }

    /// Writes the record without asking who holds it.
    public synchronized void seize(String newHolder) {
      holder = newHolder;
      writes++;
    }

    private synchronized boolean replace(int seen, String newHolder) {
      if (writes != seen) {
        return false;
      }
      seize(newHolder);
      return true;
    }

    private synchronized boolean replaceHeldBy(String oldHolder, String newHolder) {
      var held = holder.equals(oldHolder);
      if (held) {
        seize(newHolder);
      }
      return held;
    }

    private synchronized int writes() {
      return writes;
    }
  }

  /// Makes every attempt fail from now on.
  public void fail(Failure failure) {
    unavailable = Optional.of(failure);
  }

  @Override
  public Attempt acquire(Duration wait) {
    if (unavailable.isPresent()) {
      return new Attempt.Unavailable(unavailable.get());
    }
    var end = time.nanoTime() + wait.toNanos();
    var seen = shared.writes();
    var since = time.nanoTime();
    while (true) {
      if (shared.writes() != seen) {
        seen = shared.writes();
        since = time.nanoTime();
      }
      var holder = shared.holder();
      if (holder.isEmpty() || time.nanoTime() - since >= DURATION.toNanos()) {
        if (shared.replace(seen, identity)) {
          return new Attempt.Taken(new Mine());
        }
        continue;
      }
      var left = Duration.ofNanos(end - time.nanoTime());
      if (!left.isPositive()) {
        return new Attempt.HeldBy(holder);
      }
      time.pause(left.compareTo(POLL) < 0 ? left : POLL);
    }
  }

  /// The record while it is ours.
  public final class Mine implements Held {
    private long renewedAt = time.nanoTime();
    private boolean lost;

    /// Renews it now, unless it is too late.
    public void renew() {
      if (!stillOurs()) {
        return;
      }
      if (shared.replaceHeldBy(identity, identity)) {
        renewedAt = time.nanoTime();
      } else {
        lost = true;
      }
    }

    @Override
    public boolean stillOurs() {
      return !lost && time.nanoTime() - renewedAt < SAFE.toNanos();
    }

    @Override
    public void close() {
      shared.replaceHeldBy(identity, "");
    }
  }
}
