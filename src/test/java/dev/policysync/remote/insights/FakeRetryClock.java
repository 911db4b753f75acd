package dev.policysync.remote.insights;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A clock that a wait moves on at once, and that remembers the waits.
class FakeRetryClock implements RetryClock {
  static final Instant START = Instant.parse("2026-11-20T09:30:00Z");

  private final List<Duration> waits = new CopyOnWriteArrayList<>();

  private Duration run = Duration.ofDays(1);

  /// The run ends by itself after that time.
  FakeRetryClock runEndsIn(Duration time) {
    run = time;
    return this;
  }

  @Override
  public long nanoTime() {
    return waits.stream().mapToLong(Duration::toNanos).sum();
  }

  @Override
  public Instant now() {
    return START.plusNanos(nanoTime());
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    waits.add(time);
    return true;
  }

  @Override
  public Duration allowance(Duration beyond) {
    var left = run.minusNanos(nanoTime());
    return left.isNegative() ? Duration.ZERO : left;
  }

  List<Duration> waits() {
    return waits;
  }
}
