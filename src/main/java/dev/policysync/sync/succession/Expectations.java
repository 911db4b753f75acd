package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.PolicyReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a feed expects of a cluster: its policies as they are written, or, where successors are to
/// be applied, in the form that is right for the cluster as it is. A feed is read once, however
/// often a run looks at it.
public final class Expectations {
  private final Optional<SuccessionPlanner> successionPlanner;
  private @Nullable Digest feed;
  private @Nullable ExpectedPolicies read;

  /// @param successionPlanner nobody where policies are applied as they are written
  public Expectations(Optional<SuccessionPlanner> successionPlanner) {
    this.successionPlanner = successionPlanner;
  }

  /// What that feed expects of that cluster.
  ///
  /// @throws dev.policysync.policy.feed.FeedProblem if the feed cannot be read
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if what the right form depends on
  ///   could not be read
  public Expected of(Feed now, ActualPolicies actualPolicies) {
    var policies = read(now);
    return successionPlanner
        .map(planner -> planner.of(now, policies, actualPolicies))
        .orElseGet(() -> new Expected(policies, Optional.empty()));
  }

  private ExpectedPolicies read(Feed now) {
    var known = read;
    if (known != null && now.digest().equals(feed)) {
      return known;
    }
    read = null;
    var policies = parse(now);
    read = policies;
    feed = now.digest();
    return policies;
  }

  private static ExpectedPolicies parse(Feed now) {
    return PolicyReader.read(now.manifests());
  }
}
