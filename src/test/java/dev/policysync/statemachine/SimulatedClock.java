package dev.policysync.statemachine;

import dev.policysync.sync.FakeTime;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.Ticker;
import java.time.Duration;
import java.util.function.Supplier;

/// The time of all agents. None of it passes while somebody waits for a run that is at work, or for
/// one that is about to find out whether it is: that one is waited for in earnest. Otherwise it
/// leaps, so that the Lease of a killed holder expires at once.
final class SimulatedClock implements Ticker {
  private static final Duration LEAP = Duration.ofSeconds(15);

  private final FakeTime time;
  private int holders;
  private int attempts;
  private int pausing;

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
    pausing++;
    notifyAll();
    try {
      while (holders > 0 || attempts > pausing) {
        wait();
      }
      time.advance(LEAP);
      return true;
    } finally {
      pausing--;
    }
  }

  /// Attempts to get the lock, for a run that is at work from then on if it gets it.
  SyncLock.Attempt noting(Supplier<SyncLock.Attempt> attempt) {
    count(0, 1);
    try {
      var attempted = attempt.get();
      if (!(attempted instanceof SyncLock.Attempt.Taken(var held))) {
        return attempted;
      }
      count(1, 0);
      return new SyncLock.Attempt.Taken(new Noted(held));
    } finally {
      count(0, -1);
    }
  }

  /// Lets something happen while a run that is at work, or about to be, stands still.
  void whileFrozen(Runnable happens) {
    count(-1, -1);
    try {
      happens.run();
    } finally {
      count(1, 1);
    }
  }

  private synchronized void count(int moreHolders, int moreAttempts) {
    holders += moreHolders;
    attempts += moreAttempts;
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
        count(-1, 0);
      }
    }
  }
}
