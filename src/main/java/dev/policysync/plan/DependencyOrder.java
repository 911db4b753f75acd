package dev.policysync.plan;

import dev.policysync.plan.Action.Remove.Generation;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Set;

/// Which exceptions and context entries the written policies depend on. Without them, a policy must
/// not become stricter.
///
/// @param needs by policy, the shields that the plan writes before the policy; none of these writes
///   makes a policy stricter, unless another client changes the policy meanwhile
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
