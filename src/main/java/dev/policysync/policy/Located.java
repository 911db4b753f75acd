package dev.policysync.policy;

import java.util.List;

/// What was written: the policies with every place in them, and the documents that are none.
///
/// @param policies no two of one identity, in the order of the feed
public record Located(List<LocatedPolicy> policies, List<Unreadable> unreadable) {
  public Located {
    policies = List.copyOf(policies);
    unreadable = List.copyOf(unreadable);
  }
}
