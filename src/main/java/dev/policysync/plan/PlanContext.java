package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ApprovedFeed;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// What bears on a plan beside the feed and the cluster.
///
/// @param removals what runs noted about removals, without what no longer counts
/// @param drift what had to be put right lately
/// @param approval what a person consented to
/// @param approvedFeed what a person consented to, where it is this very feed and still stands
/// @param identical policies that an apply would not change, those that are not ours but for our
///   marks
/// @param altered policies of ours that an apply would change, though their managed fields show no
///   change
/// @param ifApproved the plan as it would be if a person approved every removal that the feed asks
///   for, where that was found out: what it withholds or keeps all the same, nobody is asked about
public record PlanContext(
    RemovalHistory removals,
    DriftHistory drift,
    Optional<Approval> approval,
    Optional<ApprovedFeed> approvedFeed,
    Set<PolicyId> identical,
    Set<PolicyId> altered,
    Optional<Plan> ifApproved) {
  /// Nothing.
  public static final PlanContext NONE =
      new PlanContext(RemovalHistory.NONE, DriftHistory.NONE, Optional.empty(), Set.of());

  public PlanContext {
    identical = Set.copyOf(identical);
    altered = Set.copyOf(altered);
  }

  /// One in which nobody found out what an approval would change.
  public PlanContext(
      RemovalHistory removals,
      DriftHistory drift,
      Optional<Approval> approval,
      Set<PolicyId> identical) {
    this(removals, drift, approval, Optional.empty(), identical, Set.of(), Optional.empty());
  }

  /// The same where a person consented to all that this feed asks for.
  public PlanContext approving(Optional<ApprovedFeed> feed) {
    return new PlanContext(removals, drift, approval, feed, identical, altered, ifApproved);
  }

  /// The same where these policies of ours were altered.
  public PlanContext altering(Set<PolicyId> found) {
    return new PlanContext(removals, drift, approval, approvedFeed, identical, found, ifApproved);
  }

  /// The same as if a person had just approved that list of removals.
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

  /// The same, knowing what the plan would be if its removals were approved.
  public PlanContext knowing(Plan ifApproved) {
    return new PlanContext(
        removals, drift, approval, approvedFeed, identical, altered, Optional.of(ifApproved));
  }
}
