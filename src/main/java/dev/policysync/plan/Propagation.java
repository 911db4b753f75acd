package dev.policysync.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What Kyverno can be expected to know when a run plans. Kyverno watches each kind apart, and an
/// exception has no status that tells whether its controllers have seen it.
///
/// @param now when the run plans
/// @param changed when an earlier run wrote or removed policies that a removal waits for; empty
///   where none waits
public record Propagation(Instant now, Optional<Instant> changed) {
  /// A watch that breaks is tried again within this time: the longest pause of client-go's
  /// `Reflector`, without its jitter. It is shorter than a minute, so that no run of a CronJob
  /// finds a removal or a write still waiting for the run before it.
  static final Duration TIME = Duration.ofSeconds(30);

  /// Whether Kyverno can be expected to know that object as it was listed. Of a time that nobody
  /// told, nothing is known against it.
  boolean reached(LivePolicy listed) {
    return listed.liveStatus().applied().filter(this::isRecent).isEmpty();
  }

  /// Whether Kyverno can be expected to know of the changes that removals wait for.
  boolean reachedChanges() {
    return changed.filter(this::isRecent).isEmpty();
  }

  /// Whether less than that has passed. A time that is further ahead is of another clock, and tells
  /// only that an earlier run wrote it.
  private boolean isRecent(Instant time) {
    return Duration.between(time, now).abs().compareTo(TIME) < 0;
  }
}
