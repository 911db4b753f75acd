package dev.policysync.plan;

/// What the planner obeys.
///
/// @param source whom we work for
/// @param adoption what to do with names that are taken
/// @param removals how many removals are no accident
public record Rules(SourceName source, Adoption adoption, RemovalBudget removals) {}
