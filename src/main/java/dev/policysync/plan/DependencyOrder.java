package dev.policysync.plan;

import dev.policysync.plan.Action.Remove.Generation;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Set;

/// Which of a plan's actions depend on which: exceptions and context entries are applied before the
/// policies that they serve and removed after them, and where one fails the other must not be done.
///
/// @param needs by policy that is written, the shields that are written before it
/// @param serves by shield that is removed, the policies that the plan writes or removes before it
/// @param relies by policy that is written, the shields that were found to be as they should be
public record DependencyOrder(
    Map<PolicyId, Set<PolicyId>> needs,
    Map<PolicyId, Set<PolicyId>> serves,
    Map<PolicyId, Set<Generation>> relies) {
  /// Nothing depends on anything.
  public static final DependencyOrder NONE = new DependencyOrder(Map.of(), Map.of());

  public DependencyOrder {
    needs = Map.copyOf(needs);
    serves = Map.copyOf(serves);
    relies = Map.copyOf(relies);
  }

  /// One in which no policy needs what is there already.
  public DependencyOrder(Map<PolicyId, Set<PolicyId>> needs, Map<PolicyId, Set<PolicyId>> serves) {
    this(needs, serves, Map.of());
  }

  /// The shields of that policy that the plan leaves alone.
  public Set<Generation> reliedOnBy(PolicyId policy) {
    return relies.getOrDefault(policy, Set.of());
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
