package dev.policysync.sync;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FeedVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Records that feed and cluster were in sync. While the record is [#fresh], a run does not read
/// facts again that hardly ever change: the served kinds, the installed release of Kyverno, and the
/// content of a feed that the source reports as unchanged.
///
/// @param feedVersion the version that the source gave this feed, if any
/// @param served the kinds that were listed, with the version of each: `ClusterPolicy` at `v1`
/// @param at when all of these facts were read
public record Agreement(
    InSyncFingerprint fingerprint,
    Optional<FeedVersion> feedVersion,
    Map<PolicyKind, String> served,
    Instant at) {
  /// How long these facts are valid without being read again.
  static final Duration FRESH = Duration.ofHours(1);

  public Agreement {
    served = Map.copyOf(served);
  }

  /// Returns whether the record is younger than an hour. A record from the future comes from an
  /// unreliable clock.
  public boolean fresh(Instant now) {
    var age = Duration.between(at, now);
    return !age.isNegative() && age.compareTo(FRESH) < 0;
  }
}
