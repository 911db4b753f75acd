package dev.policysync.policy.feed;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import java.util.HashSet;
import java.util.List;

/// A feed that was read: the policies it wants, and the documents that nobody could make sense of.
///
/// @param policies no two of one identity, in the order of the feed
/// @param unreadable what was wrong; while there is any, nothing may be removed
public record ExpectedPolicies(List<Policy> policies, List<UnreadableDocument> unreadable) {
  public ExpectedPolicies {
    policies = List.copyOf(policies);
    unreadable = List.copyOf(unreadable);
    var ids = new HashSet<PolicyId>();
    for (var policy : policies) {
      if (!ids.add(policy.id())) {
        throw new IllegalStateException("two policies of one identity: " + policy.id());
      }
    }
  }

  /// Whether every document was understood.
  public boolean complete() {
    return unreadable.isEmpty();
  }
}
