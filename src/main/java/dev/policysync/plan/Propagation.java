package dev.policysync.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Which changes Kyverno can be expected to know when a run makes its plan. Kyverno watches each
/// kind separately, and an exception has no status that tells whether Kyverno's controllers have
/// seen it.
///
/// @param now when the run makes its plan
/// @param changed when an earlier run wrote or removed policies that a removal waits for; empty if
///   no removal waits
public record Propagation(Instant now, Optional<Instant> changed) {
  /// How long Kyverno may take to learn of a change. A broken watch is retried within this time:
  /// the longest pause of client-go's `Reflector`, without jitter. This time is shorter than a
  /// minute, so that a run of a CronJob never waits for the run before it.
  static final Duration TIME = Duration.ofSeconds(30);

  /// Returns whether Kyverno can be expected to know the object as it was listed. An object without
  /// a known time counts as known to Kyverno.
  boolean reached(LivePolicy listed) {
    return listed.liveStatus().applied().filter(this::isRecent).isEmpty();
  }

  boolean reachedChanges() {
    return changed.filter(this::isRecent).isEmpty();
  }

  /// Returns whether the time is less than [#TIME] away from now. A time further ahead comes from
  /// another clock, and tells only that an earlier run wrote it.
  private boolean isRecent(Instant time) {
    return Duration.between(time, now).abs().compareTo(TIME) < 0;
  }
}
