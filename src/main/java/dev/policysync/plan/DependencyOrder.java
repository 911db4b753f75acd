package dev.policysync.plan;

import dev.policysync.plan.Action.Remove.Generation;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Set;

/// Which exceptions and context entries the policies depend on that a plan writes: without them, a
/// policy must not begin to block.
///
/// @param needs by policy, those that the plan writes before it. None of these writes may block
///   more, unless somebody changes the policy meanwhile
/// @param relies by policy, those that were found to be as they should be
public record DependencyOrder(
    Map<PolicyId, Set<PolicyId>> needs, Map<PolicyId, Set<Generation>> relies) {
  /// Nothing depends on anything.
  public static final DependencyOrder NONE = new DependencyOrder(Map.of(), Map.of());

  public DependencyOrder {
    needs = Map.copyOf(needs);
    relies = Map.copyOf(relies);
  }

  /// The shields of that policy that the plan leaves alone.
  public Set<Generation> reliedOnBy(PolicyId policy) {
    return relies.getOrDefault(policy, Set.of());
  }

  /// The shields that are written before that policy.
  public Set<PolicyId> neededBy(PolicyId policy) {
    return needs.getOrDefault(policy, Set.of());
  }
}
