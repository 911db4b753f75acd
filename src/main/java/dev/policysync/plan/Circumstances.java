package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param ownedBefore how many policies were owned when removals were first withheld, while some
///   are
/// @param repairs what had to be put right lately
/// @param approval what a person consented to
/// @param identical policies that are not ours and that an apply would not change but for our marks
public record Circumstances(
    Optional<Integer> ownedBefore,
    Repairs repairs,
    Optional<Approval> approval,
    Set<PolicyId> identical) {
  /// Nothing.
  public static final Circumstances NONE =
      new Circumstances(Optional.empty(), Repairs.NONE, Optional.empty(), Set.of());

  public Circumstances {
    identical = Set.copyOf(identical);
  }
}
