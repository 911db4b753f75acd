package dev.policysync.plan;

import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.policy.PolicyId;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param removals what runs noted about removals, without what no longer counts
/// @param drift what had to be put right lately
/// @param approval what a person consented to
/// @param identical policies that are not ours and that an apply would not change but for our marks
public record PlanContext(
    RemovalHistory removals,
    DriftHistory drift,
    Optional<Approval> approval,
    Set<PolicyId> identical) {
  /// Nothing.
  public static final PlanContext NONE =
      new PlanContext(RemovalHistory.NONE, DriftHistory.NONE, Optional.empty(), Set.of());

  public PlanContext {
    identical = Set.copyOf(identical);
  }
}
