package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.time.Duration;
import java.util.Optional;

/// A run's time that passes only while somebody waits, until the test lets it end.
public final class FakeTimeBudget implements TimeBudget {
  private final Duration eachPause;
  private Duration eachLook = Duration.ZERO;
  private Duration left = Duration.ofMinutes(4);
  private Optional<String> over = Optional.empty();
  private long now;

  private FakeTimeBudget(Duration eachPause) {
    this.eachPause = eachPause;
  }

  /// One whose every pause lasts that long, whatever was asked for.
  public static FakeTimeBudget pausing(Duration eachPause) {
    return new FakeTimeBudget(eachPause);
  }

  /// The clock jumps each time that it is looked at.
  FakeTimeBudget jumping(Duration eachLook) {
    this.eachLook = eachLook;
    return this;
  }

  /// So much of the run's time is left.
  FakeTimeBudget left(Duration left) {
    this.left = left;
    return this;
  }

  /// The run is to end, and what follows may take that long.
  FakeTimeBudget over(String why, Duration left) {
    this.over = Optional.of(why);
    this.left = left;
    return this;
  }

  @Override
  public long nanoTime() {
    var time = now;
    now += eachLook.toNanos();
    return time;
  }

  @Override
  public boolean pause(Duration time) {
    now += eachPause.toNanos();
    return over.isEmpty();
  }

  @Override
  public Duration allowance(Duration beyond) {
    return over.isPresent() ? left : left.plus(beyond);
  }

  @Override
  public Optional<String> over() {
    return over;
  }
}
