package dev.policysync.remote.cluster.lease;

import dev.policysync.sync.execution.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// A moment by both clocks of this machine. The monotonic one cannot be set, but stands still while
/// the machine is suspended; the time of day can be set, but counts that too.
///
/// @param nanos as `System.nanoTime`
record DualClockInstant(long nanos, Instant time) {
  static DualClockInstant now(Ticker ticker, Clock clock) {
    return new DualClockInstant(ticker.nanoTime(), clock.instant());
  }

  /// How long ago that was at that later moment, by the clock that says longer.
  Duration until(DualClockInstant later) {
    var monotonic = Duration.ofNanos(later.nanos - nanos);
    var ofDay = Duration.between(time, later.time);
    return monotonic.compareTo(ofDay) >= 0 ? monotonic : ofDay;
  }
}
