package dev.policysync.policy.feed;

import java.util.List;

/// What was written: the policies with every place in them, and the documents that are none.
///
/// @param policies no two of one identity, in the order of the feed
public record LocatedPolicies(List<LocatedPolicy> policies, List<UnreadableDocument> unreadable) {
  public LocatedPolicies {
    policies = List.copyOf(policies);
    unreadable = List.copyOf(unreadable);
  }
}
