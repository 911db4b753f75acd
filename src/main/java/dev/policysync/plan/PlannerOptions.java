package dev.policysync.plan;

import dev.policysync.policy.feed.ApprovedFeed;
import java.util.Optional;

/// What the planner obeys.
///
/// @param source whom we work for
/// @param adoption what to do with names that are taken
/// @param removals how many removals are no accident
/// @param enforcing what to do about policies that begin to block
/// @param approvedFeed the feed that a person consented to, if any
public record PlannerOptions(
    SourceName source,
    Adoption adoption,
    RemovalBudget removals,
    EnforceGuard enforcing,
    Optional<ApprovedFeed> approvedFeed) {
  /// Rules that do not look at what begins to block.
  public PlannerOptions(SourceName source, Adoption adoption, RemovalBudget removals) {
    this(source, adoption, removals, EnforceGuard.OFF);
  }

  /// Rules for a feed that nobody approved beforehand.
  public PlannerOptions(
      SourceName source, Adoption adoption, RemovalBudget removals, EnforceGuard enforcing) {
    this(source, adoption, removals, enforcing, Optional.empty());
  }
}
