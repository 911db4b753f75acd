package dev.policysync.cluster;

import dev.policysync.cluster.ClusterConnection.Patience;
import java.time.Duration;
import java.util.Optional;

/// A run's time that passes only while somebody waits, until the test lets it end.
final class FakePatience implements Patience {
  private final Duration eachPause;
  private Duration eachLook = Duration.ZERO;
  private Duration left = Duration.ofMinutes(4);
  private Optional<String> over = Optional.empty();
  private long now;

  private FakePatience(Duration eachPause) {
    this.eachPause = eachPause;
  }

  /// One whose every pause lasts that long, whatever was asked for.
  static FakePatience pausing(Duration eachPause) {
    return new FakePatience(eachPause);
  }

  /// The clock jumps each time that it is looked at.
  FakePatience jumping(Duration eachLook) {
    this.eachLook = eachLook;
    return this;
  }

  /// So much of the run's time is left.
  FakePatience left(Duration left) {
    this.left = left;
    return this;
  }

  /// The run is to end, and what follows may take that long.
  FakePatience over(String why, Duration left) {
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
