package dev.policysync.sync.execution;

import java.time.Duration;
import java.util.Optional;

/// How long calls may take: the whole run's time ([Cancellation]), or a part of it.
///
/// Parts have no separate types. The caller decides their size, such as a request about the Lease
/// or the count of violations.
public interface TimeBudget extends Ticker {
  /// Returns how long a call that begins now may take; if zero, the call must not begin.
  ///
  /// @param beyond how long the call may continue after the run's time has ended
  Duration allowance(Duration beyond);

  /// Returns why the time is over; empty if it is not.
  Optional<String> over();

  /// Returns a budget in which no call takes longer than the limit.
  default TimeBudget perCall(Duration limit) {
    return new LimitedTimeBudget(this, () -> limit, "");
  }

  /// Returns a budget that is over after the limit.
  ///
  /// @param doing what is given up when the time is over: `reading the reports`
  default TimeBudget within(Duration limit, String doing) {
    var end = nanoTime() + limit.toNanos();
    return new LimitedTimeBudget(
        this,
        () -> Duration.ofNanos(Math.max(0, end - nanoTime())),
        doing + " took longer than " + limit.toSeconds() + " s");
  }

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
