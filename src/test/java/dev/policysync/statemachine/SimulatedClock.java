package dev.policysync.statemachine;

import dev.policysync.sync.FakeTime;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.Ticker;
import java.time.Duration;

/// The time of all agents. None of it passes while somebody waits for a run that is at work: that
/// one is waited for in earnest. Otherwise it leaps, so that the Lease of a killed holder expires
/// at once.
final class SimulatedClock implements Ticker {
  private static final Duration LEAP = Duration.ofSeconds(15);

  private final FakeTime time;
  private int holders;

  SimulatedClock(FakeTime time) {
    this.time = time;
  }

  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  /// A machine may well sleep longer than it was asked to.
  @Override
  public synchronized boolean pause(Duration length) throws InterruptedException {
    while (holders > 0) {
      wait();
    }
    time.advance(LEAP);
    return true;
  }

  /// An attempt of a run that is at work from now on, if it got the lock.
  SyncLock.Attempt noting(SyncLock.Attempt attempt) {
    if (!(attempt instanceof SyncLock.Attempt.Taken(var held))) {
      return attempt;
    }
    count(1);
    return new SyncLock.Attempt.Taken(new Noted(held));
  }

  /// Lets something happen while a run at work stands still.
  void whileFrozen(Runnable happens) {
    count(-1);
    try {
      happens.run();
    } finally {
      count(1);
    }
  }

  private synchronized void count(int more) {
    holders += more;
    notifyAll();
  }

  private final class Noted implements SyncLock.Held {
    private final SyncLock.Held held;

    Noted(SyncLock.Held held) {
      this.held = held;
    }

    @Override
    public boolean stillOurs() {
      return held.stillOurs();
    }

    @Override
    public void close() {
      try {
        held.close();
      } finally {
        count(-1);
      }
    }
  }
}
