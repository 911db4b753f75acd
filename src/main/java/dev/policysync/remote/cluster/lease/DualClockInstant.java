package dev.policysync.remote.cluster.lease;

import dev.policysync.sync.execution.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// A point in time by both clocks of this machine. The monotonic clock cannot be set, but stops
/// while the machine is suspended. The time of day can be set, but continues during a suspension.
///
/// @param nanos as returned by `System.nanoTime`
record DualClockInstant(long nanos, Instant time) {
  static DualClockInstant now(Ticker ticker, Clock clock) {
    return new DualClockInstant(ticker.nanoTime(), clock.instant());
  }

  /// Returns the time until a later point, by the clock that shows the longer time.
  Duration until(DualClockInstant later) {
    var monotonic = Duration.ofNanos(later.nanos - nanos);
    var ofDay = Duration.between(time, later.time);
    return monotonic.compareTo(ofDay) >= 0 ? monotonic : ofDay;
  }
}
