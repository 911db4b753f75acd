package dev.policysync.plan;

import dev.policysync.policy.feed.ApprovedFeed;
import java.util.Optional;

/// The settings of the planner.
///
/// @param source the source that this agent applies
/// @param adoption what to do if a policy of an expected name exists and is not ours
/// @param removals how many removals are allowed without an approval
/// @param enforcing what to do about stricter policies
/// @param approvedFeed the feed that a person approved, if any
public record PlannerOptions(
    SourceName source,
    Adoption adoption,
    RemovalBudget removals,
    EnforceGuard enforcing,
    Optional<ApprovedFeed> approvedFeed) {
  public PlannerOptions(SourceName source, Adoption adoption, RemovalBudget removals) {
    this(source, adoption, removals, EnforceGuard.OFF);
  }

  public PlannerOptions(
      SourceName source, Adoption adoption, RemovalBudget removals, EnforceGuard enforcing) {
    this(source, adoption, removals, enforcing, Optional.empty());
  }
}
