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

/// Which policies PolicyExceptions of kyverno.io exempt from that have no successor themselves,
/// those of the feed and all that are in the cluster, whoever wrote them: they do not exempt from
/// the successors of policies, which would block what they shield.
public final class Exemptions {
  private final PolicyStore store;
  private final Map<ObjectVersion, PolicyDependency> read = new HashMap<>();

  /// @param store knows what they say
  public Exemptions(PolicyStore store) {
    this.store = store;
  }

  /// @param moving those of the feed that have successors, too
  /// @param source ours: what somebody else wrote stays as it is
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if one could not be read
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
            // Then there are none.
          }
        }
      }
    }
    return new Known(known);
  }

  private PolicyDependency of(PolicyId id, ObjectVersion version) {
    return read.computeIfAbsent(version, _ -> of(id, store.read(id).orElse(Value.Mapping.EMPTY)));
  }

  /// What one of the feed exempts from.
  static PolicyDependency of(Policy exception) {
    return of(exception.id(), exception.content());
  }

  private static PolicyDependency of(PolicyId id, Value.Mapping content) {
    return PolicyDependency.of(id.kind(), content);
  }

  static boolean isException(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION && kind.endsWithKyverno119();
  }

  /// All of them, by what people call them.
  record Known(Map<String, PolicyDependency> exceptions) {
    /// One that exempts from that policy.
    Optional<String> from(PolicyId policy) {
      return exceptions.entrySet().stream()
          .filter(exception -> exception.getValue().serves(policy, Value.Mapping.EMPTY))
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }
}
