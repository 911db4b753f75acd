package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param ownedBefore how many policies were owned when removals were first withheld, while some
///   are
/// @param repairs what had to be put right lately
/// @param approval what a person consented to
/// @param identical policies that are not ours and that an apply would not change but for our marks
/// @param held policies that are not to be written although they are new or have changed, and why
public record Circumstances(
    Optional<Integer> ownedBefore,
    Repairs repairs,
    Optional<Approval> approval,
    Set<PolicyId> identical,
    Map<PolicyId, String> held) {
  /// Nothing.
  public static final Circumstances NONE =
      new Circumstances(Optional.empty(), Repairs.NONE, Optional.empty(), Set.of());

  public Circumstances {
    identical = Set.copyOf(identical);
    held = Map.copyOf(held);
  }

  /// None is held.
  public Circumstances(
      Optional<Integer> ownedBefore,
      Repairs repairs,
      Optional<Approval> approval,
      Set<PolicyId> identical) {
    this(ownedBefore, repairs, approval, identical, Map.of());
  }

  /// The same, but these are held.
  public Circumstances holding(Map<PolicyId, String> held) {
    return new Circumstances(ownedBefore, repairs, approval, identical, held);
  }
}
