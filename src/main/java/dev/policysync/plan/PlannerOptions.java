package dev.policysync.plan;

import dev.policysync.plan.history.RemovalBudget;
import dev.policysync.plan.ownership.Adoption;
import dev.policysync.plan.ownership.SourceName;

/// What the planner obeys.
///
/// @param source whom we work for
/// @param adoption what to do with names that are taken
/// @param removals how many removals are no accident
/// @param enforcing what to do about policies that begin to block
public record PlannerOptions(
    SourceName source, Adoption adoption, RemovalBudget removals, EnforceGuard enforcing) {
  /// Rules that do not look at what begins to block.
  public PlannerOptions(SourceName source, Adoption adoption, RemovalBudget removals) {
    this(source, adoption, removals, EnforceGuard.OFF);
  }
}
