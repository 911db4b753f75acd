package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ApprovedFeed;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Everything besides the feed and the cluster that a plan depends on.
///
/// @param removals the recorded removals, without those that no longer count
/// @param drift the repairs of the last day
/// @param approval the approval that a person gave
/// @param approvedFeed the approval of this feed, if it is still valid
/// @param identical policies that an apply would not change; for policies that are not ours, apart
///   from our ownership annotations
/// @param altered policies of ours that an apply would change although their managed fields show no
///   change
/// @param ifApproved the plan as if a person had approved every requested removal, if that plan was
///   made; no approval is requested for removals that this plan withholds or keeps
public record PlanContext(
    RemovalHistory removals,
    DriftHistory drift,
    Optional<Approval> approval,
    Optional<ApprovedFeed> approvedFeed,
    Set<PolicyId> identical,
    Set<PolicyId> altered,
    Optional<Plan> ifApproved) {
  public static final PlanContext NONE =
      new PlanContext(RemovalHistory.NONE, DriftHistory.NONE, Optional.empty(), Set.of());

  public PlanContext {
    identical = Set.copyOf(identical);
    altered = Set.copyOf(altered);
  }

  /// Creates a context without the plan that an approval would allow.
  public PlanContext(
      RemovalHistory removals,
      DriftHistory drift,
      Optional<Approval> approval,
      Set<PolicyId> identical) {
    this(removals, drift, approval, Optional.empty(), identical, Set.of(), Optional.empty());
  }

  public PlanContext approving(Optional<ApprovedFeed> feed) {
    return new PlanContext(removals, drift, approval, feed, identical, altered, ifApproved);
  }

  public PlanContext altering(Set<PolicyId> found) {
    return new PlanContext(removals, drift, approval, approvedFeed, identical, found, ifApproved);
  }

  /// Returns the context as if a person had just approved this list of removals.
  public PlanContext approving(Digest list) {
    var approving = new Approval(Approval.Of.REMOVALS, list.text(), Optional.of(Duration.ZERO));
    return new PlanContext(
        removals,
        drift,
        Optional.of(approving),
        approvedFeed,
        identical,
        altered,
        Optional.empty());
  }

  /// Returns the context with the plan as it would be if the removals were approved.
  public PlanContext withPlanIfApproved(Plan ifApproved) {
    return new PlanContext(
        removals, drift, approval, approvedFeed, identical, altered, Optional.of(ifApproved));
  }
}
