package dev.policysync.sync.succession;

import dev.policysync.base.Value;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Listing;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.OwnershipVerdict;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.sync.execution.PolicyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Finds the policies that PolicyExceptions of kyverno.io without a successor exempt from, in the
/// feed and in the cluster, whoever owns them. Such an exception does not exempt from the
/// successors of a policy, which would block the exempted resources.
public final class Exemptions {
  private final PolicyStore store;
  private final Map<ObjectVersion, PolicyDependency> read = new HashMap<>();

  public Exemptions(PolicyStore store) {
    this.store = store;
  }

  /// @param moving the exceptions of the feed that have successors
  /// @param source our source; exceptions of other owners stay unchanged
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if an exception could not be read
  Known of(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Set<PolicyId> moving,
      SourceName source) {
    var known = new TreeMap<String, PolicyDependency>();
    for (var policy : expectedPolicies.policies()) {
      if (isException(policy.id().kind()) && !moving.contains(policy.id())) {
        known.put(policy.id() + " of the feed", of(policy));
      }
    }
    for (var document : expectedPolicies.unreadable()) {
      document
          .id()
          .filter(id -> isException(id.kind()))
          .ifPresent(id -> known.put(id.toString(), PolicyDependency.unclear(id.kind())));
    }
    for (var kind : PolicyKind.all()) {
      if (isException(kind)) {
        switch (actualPolicies.of(kind)) {
          case Listing.Listed(_, var policies) ->
              policies.stream()
                  .filter(there ->
                      !moving.contains(there.id())
                          || !(OwnershipVerdict.of(there, source) instanceof OwnershipVerdict.Ours))
                  .forEach(there ->
                      known.put(there.id().toString(), of(there.id(), there.objectVersion())));
          case Listing.Unlistable _, Listing.Excluded _ ->
              known.put("a " + kind + " that could not be listed", PolicyDependency.unclear(kind));
          case Listing.Absent _ -> {
            // The cluster has no such exceptions.
          }
        }
      }
    }
    return new Known(known);
  }

  private PolicyDependency of(PolicyId id, ObjectVersion version) {
    return read.computeIfAbsent(version, _ -> of(id, store.read(id).orElse(Value.Mapping.EMPTY)));
  }

  static PolicyDependency of(Policy exception) {
    return of(exception.id(), exception.content());
  }

  private static PolicyDependency of(PolicyId id, Value.Mapping content) {
    return PolicyDependency.of(id.kind(), content);
  }

  static boolean isException(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION && kind.endsWithKyverno119();
  }

  record Known(Map<String, PolicyDependency> exceptions) {
    /// Returns one exception that exempts from the policy, if any.
    Optional<String> from(PolicyId policy) {
      return exceptions.entrySet().stream()
          .filter(exception -> exception.getValue().serves(policy, Value.Mapping.EMPTY))
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }
}
