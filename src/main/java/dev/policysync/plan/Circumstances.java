package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param removals what runs noted about removals, without what no longer counts
/// @param repairs what had to be put right lately
/// @param approval what a person consented to
/// @param identical policies that are not ours and that an apply would not change but for our marks
public record Circumstances(
    RemovalHistory removals,
    Repairs repairs,
    Optional<Approval> approval,
    Set<PolicyId> identical) {
  /// Nothing.
  public static final Circumstances NONE =
      new Circumstances(RemovalHistory.NONE, Repairs.NONE, Optional.empty(), Set.of());

  public Circumstances {
    identical = Set.copyOf(identical);
  }
}
