package dev.policysync.sync;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// A clock that moves by hand, and by being waited for.
public final class FakeTime {
  private static final Instant BEGIN = Instant.parse("2026-11-21T03:00:00.123456789Z");

  private final Instant begin;
  private long nanos;
  private Runnable atEachPause = () -> {};

  public FakeTime() {
    this(BEGIN);
  }

  /// @param begin the time of day at first
  FakeTime(Instant begin) {
    this.begin = begin;
  }

  /// As `System.nanoTime`.
  public synchronized long nanoTime() {
    return nanos;
  }

  /// The time of day, by default from 2026-11-21T03:00:00.123456789Z on.
  public Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return begin.plusNanos(nanoTime());
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
      }
    };
  }

  public synchronized void advance(Duration time) {
    nanos += time.toNanos();
  }

  /// Waits that long, without any real time passing.
  public boolean pause(Duration time) {
    advance(time);
    atEachPause.run();
    return true;
  }

  /// Lets something happen whenever somebody waits.
  public void atEachPause(Runnable happens) {
    atEachPause = happens;
  }
}
