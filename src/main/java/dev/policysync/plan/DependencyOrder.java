package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Set;

/// Which of a plan's actions depend on which: exceptions and context entries are applied before the
/// policies that they serve and removed after them, and where one fails the other must not be done.
///
/// @param needs by policy that is written, the shields that are written before it
/// @param serves by shield that is removed, the policies that the plan writes or removes before it
public record DependencyOrder(
    Map<PolicyId, Set<PolicyId>> needs, Map<PolicyId, Set<PolicyId>> serves) {
  /// Nothing depends on anything.
  public static final DependencyOrder NONE = new DependencyOrder(Map.of(), Map.of());

  public DependencyOrder {
    needs = Map.copyOf(needs);
    serves = Map.copyOf(serves);
  }

  /// The shields that are written before that policy.
  public Set<PolicyId> neededBy(PolicyId policy) {
    return needs.getOrDefault(policy, Set.of());
  }

  /// The policies that this shield serves and that are written or removed before it.
  public Set<PolicyId> servedBy(PolicyId shield) {
    return serves.getOrDefault(shield, Set.of());
  }
}
