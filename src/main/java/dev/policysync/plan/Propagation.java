package dev.policysync.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Which changes Kyverno is expected to know when a run makes its plan. Kyverno watches each kind
/// separately, and no status of an exception shows whether Kyverno's controllers know it.
///
/// @param now the time of the plan
/// @param changed when an earlier run wrote or removed policies that a removal waits for; empty if
///   no removal waits
public record Propagation(Instant now, Optional<Instant> changed) {
  /// How long Kyverno may need to learn of a change. Within this time, client-go's `Reflector`
  /// retries a broken watch: it is the longest pause, without jitter. It is less than a minute, so
  /// that a run of a CronJob never waits for the previous run.
  static final Duration TIME = Duration.ofSeconds(30);

  /// Returns whether Kyverno is expected to know the object as it was listed. An object without a
  /// known time counts as known.
  boolean reached(LivePolicy listed) {
    return listed.liveStatus().applied().filter(this::isRecent).isEmpty();
  }

  public boolean reachedChanges() {
    return changed.filter(this::isRecent).isEmpty();
  }

  /// Returns whether the time is less than [#TIME] away from now. A time further in the future
  /// comes from another clock, and shows only that an earlier run wrote it.
  private boolean isRecent(Instant time) {
    return Duration.between(time, now).abs().compareTo(TIME) < 0;
  }
}
