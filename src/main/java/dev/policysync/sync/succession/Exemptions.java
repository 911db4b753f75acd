package dev.policysync.sync.succession;

import dev.policysync.base.Value;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.sync.execution.PolicyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Finds the policies that PolicyExceptions of kyverno.io without a successor exempt from, in the
/// feed and in the cluster, whoever owns them. Such an exception does not exempt from the
/// successors of a policy, which would block the exempted resources.
final class Exemptions {
  private final PolicyStore store;
  private final Map<ObjectVersion, PolicyDependency> read = new HashMap<>();

  Exemptions(PolicyStore store) {
    this.store = store;
  }

  /// Returns the exceptions that stay unchanged, by their names in messages.
  ///
  /// @param moving the policies and exceptions of the feed that have successors; those of other
  ///   owners stay unchanged all the same
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if an exception could not be read
  Map<String, PolicyDependency> staying(
      ExpectedPolicies expectedPolicies, Cluster cluster, Set<PolicyId> moving) {
    var staying = new TreeMap<String, PolicyDependency>();
    for (var policy : expectedPolicies.policies()) {
      if (isException(policy.id().kind()) && !moving.contains(policy.id())) {
        staying.put(policy.id() + " of the feed", of(policy));
      }
    }
    for (var document : expectedPolicies.unreadable()) {
      document
          .id()
          .filter(id -> isException(id.kind()))
          .ifPresent(id -> staying.put(id.toString(), PolicyDependency.unclear(id.kind())));
    }
    for (var kind : PolicyKind.all()) {
      if (isException(kind)) {
        switch (cluster.listing(kind)) {
          case Listing.Listed(_, var policies) ->
              policies.stream()
                  .filter(there -> !moving.contains(there.id()) || !cluster.isOurs(there))
                  .forEach(there -> staying.put(there.id().toString(), of(there)));
          case Listing.Unlistable _, Listing.Excluded _ ->
              staying.put(
                  "a " + kind + " that could not be listed", PolicyDependency.unclear(kind));
          case Listing.Absent _ -> {
            // The cluster has no such exceptions.
          }
        }
      }
    }
    return staying;
  }

  private PolicyDependency of(LivePolicy there) {
    var id = there.id();
    return read.computeIfAbsent(
        there.objectVersion(),
        _ -> PolicyDependency.of(id.kind(), store.read(id).orElse(Value.Mapping.EMPTY)));
  }

  static PolicyDependency of(Policy exception) {
    return PolicyDependency.of(exception.id().kind(), exception.content());
  }

  static boolean isException(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION && kind.endsWithKyverno119();
  }
}
