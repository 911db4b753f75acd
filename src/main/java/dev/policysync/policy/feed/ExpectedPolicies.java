package dev.policysync.policy.feed;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import java.util.HashSet;
import java.util.List;

/// The policies that a feed expects, and the documents that could not be read as policies.
///
/// @param policies the policies in the order of the feed, each identity once
/// @param unreadable the documents with problems; if there are any, nothing may be removed
/// @param inDefaultNamespace the namespaced policies whose document has no namespace
public record ExpectedPolicies(
    List<Policy> policies, List<UnreadableDocument> unreadable, List<PolicyId> inDefaultNamespace) {
  public ExpectedPolicies {
    policies = List.copyOf(policies);
    unreadable = List.copyOf(unreadable);
    inDefaultNamespace = List.copyOf(inDefaultNamespace);
    var ids = new HashSet<PolicyId>();
    for (var policy : policies) {
      if (!ids.add(policy.id())) {
        throw new IllegalStateException("two policies of one identity: " + policy.id());
      }
    }
  }

  public ExpectedPolicies(List<Policy> policies, List<UnreadableDocument> unreadable) {
    this(policies, unreadable, List.of());
  }

  /// Returns whether every document could be read.
  public boolean complete() {
    return unreadable.isEmpty();
  }
}
