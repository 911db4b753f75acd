package dev.policysync.sync;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FeedVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// That feed and cluster were found to agree. While it is [#fresh] a run does not ask again what
/// hardly ever changes: which kinds are served, which release of Kyverno is installed, and what the
/// feed says where the source calls it unchanged.
///
/// @param feedVersion what the source called that very feed, if it called it anything
/// @param served the kinds that were listed, with the version of each: `ClusterPolicy` at `v1`
/// @param at when all of it was asked for
public record Agreement(
    InSyncFingerprint fingerprint,
    Optional<FeedVersion> feedVersion,
    Map<PolicyKind, String> served,
    Instant at) {
  /// How long what was asked for is not asked again.
  static final Duration FRESH = Duration.ofHours(1);

  public Agreement {
    served = Map.copyOf(served);
  }

  /// Whether it is younger than an hour. One of the future was recorded by a clock that is not to
  /// be trusted.
  public boolean fresh(Instant now) {
    var age = Duration.between(at, now);
    return !age.isNegative() && age.compareTo(FRESH) < 0;
  }
}
