package dev.policysync.policy.feed;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import java.util.HashSet;
import java.util.List;

/// The policies that a feed expects, and the documents that could not be read as policies.
///
/// @param policies the policies in the order of the feed, each identity once
/// @param unreadable the documents with problems; if there are any, nothing may be removed
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

  /// Returns whether every document could be read.
  public boolean complete() {
    return unreadable.isEmpty();
  }
}
