package dev.policysync.plan;

import dev.policysync.plan.Action.Remove.Generation;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Set;

/// Which exceptions and context entries the written policies depend on. Without them, a policy must
/// not begin to block.
///
/// @param needs by policy, the shields that the plan writes before the policy. None of these writes
///   may block more, unless somebody changes the policy meanwhile
/// @param relies by policy, the shields that were found in sync
public record DependencyOrder(
    Map<PolicyId, Set<PolicyId>> needs, Map<PolicyId, Set<Generation>> relies) {
  public static final DependencyOrder NONE = new DependencyOrder(Map.of(), Map.of());

  public DependencyOrder {
    needs = Map.copyOf(needs);
    relies = Map.copyOf(relies);
  }

  public Set<Generation> reliedOnBy(PolicyId policy) {
    return relies.getOrDefault(policy, Set.of());
  }

  public Set<PolicyId> neededBy(PolicyId policy) {
    return needs.getOrDefault(policy, Set.of());
  }
}
