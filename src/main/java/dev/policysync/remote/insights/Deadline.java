package dev.policysync.remote.insights;

import java.time.Duration;

/// The time at which retries of an API call end.
///
/// This is not a `TimeBudget`, which gives a run that is told to end some more seconds for the
/// cluster. The API needs no such time, because the next run sends what this one could not. So no
/// attempt begins after the deadline, and a signal before the deadline cancels the connections
/// themselves.
record Deadline(RetryClock clock, long nanos) {
  /// Returns a deadline after that time, or at the end of the run if that is sooner.
  static Deadline in(Duration time, RetryClock clock) {
    return new Deadline(clock, clock.nanos() + Math.min(time.toNanos(), clock.left().toNanos()));
  }

  /// Returns the remaining time, at least one millisecond, because to OkHttp a timeout of zero
  /// means no timeout.
  Duration left() {
    return Duration.ofNanos(Math.max(1_000_000, nanos - clock.nanos()));
  }

  Duration left(Duration most) {
    var left = left();
    return left.compareTo(most) < 0 ? left : most;
  }

  boolean passed() {
    return nanos - clock.nanos() <= 0;
  }

  /// Returns whether the deadline passes before a wait of this length ends.
  boolean isWithin(Duration wait) {
    return nanos - clock.nanos() <= wait.toNanos();
  }
}
