package dev.policysync.remote.insights;

import java.time.Duration;

/// When retries of a call of the API end.
///
/// That is no `TimeBudget`, which lets a run that is told to end say its last to the cluster for
/// some seconds more: what the API is not told in time, the next run tells it. So nothing is begun
/// after this point, and where a signal comes before it, the connections themselves are cancelled.
record Deadline(RetryClock clock, long nanos) {
  /// In that time, or when the run must end if that is sooner.
  static Deadline in(Duration time, RetryClock clock) {
    return new Deadline(clock, clock.nanos() + Math.min(time.toNanos(), clock.left().toNanos()));
  }

  /// What is left; never below a millisecond, because OkHttp takes a timeout of zero as none.
  Duration left() {
    return Duration.ofNanos(Math.max(1_000_000, nanos - clock.nanos()));
  }

  /// The same, but that long at most.
  Duration left(Duration most) {
    var left = left();
    return left.compareTo(most) < 0 ? left : most;
  }

  boolean passed() {
    return nanos - clock.nanos() <= 0;
  }

  /// Whether it is over before such a wait is.
  boolean isWithin(Duration wait) {
    return nanos - clock.nanos() <= wait.toNanos();
  }
}
