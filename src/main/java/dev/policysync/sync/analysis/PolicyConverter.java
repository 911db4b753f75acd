package dev.policysync.sync.analysis;

import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.Feed;
import java.util.List;

/// Who knows what would become of policies that Kyverno 1.20 no longer executes.
@FunctionalInterface
public interface PolicyConverter {
  /// What would become of each policy in question, in their order. It is pure, and a policy that
  /// cannot be judged because of a defect has no successor.
  ///
  /// @param feed that has all of them
  List<PolicyConversion> of(Feed feed, List<Policy> inQuestion);
}
