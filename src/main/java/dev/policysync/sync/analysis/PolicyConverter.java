package dev.policysync.sync.analysis;

import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.Feed;
import java.util.List;

/// Converts policies that Kyverno 1.20 no longer executes.
@FunctionalInterface
public interface PolicyConverter {
  /// Returns the conversion of each given policy, in their order. Pure. A policy that cannot be
  /// converted because of a bug has no successor.
  ///
  /// @param feed the feed that contains all of these policies
  List<PolicyConversion> of(Feed feed, List<Policy> inQuestion);
}
