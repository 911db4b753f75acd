package dev.policysync.sync.execution;

import java.time.Duration;
import java.util.Optional;

/// How long calls may take: the whole run's time ([Cancellation]), or a part of it.
///
/// Parts have no types of their own. How large they are is decided where they are needed, such as a
/// call about the Lease or the count of violations.
public interface TimeBudget extends Ticker {
  /// How long a call that begins now may take; none is to begin if that is nothing.
  ///
  /// @param beyond what it may take after the run was told to end in the middle of it
  Duration allowance(Duration beyond);

  /// Why the time is over, if it is.
  Optional<String> over();

  /// The same, but for calls that are short: none takes longer than that.
  default TimeBudget perCall(Duration limit) {
    return new LimitedTimeBudget(this, () -> limit, "");
  }

  /// The same, but over after that time.
  ///
  /// @param doing what is given up then: `reading the reports`
  default TimeBudget within(Duration limit, String doing) {
    var end = nanoTime() + limit.toNanos();
    return new LimitedTimeBudget(
        this,
        () -> Duration.ofNanos(Math.max(0, end - nanoTime())),
        doing + " took longer than " + limit.toSeconds() + " s");
  }

  /// The shorter one of both.
  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
