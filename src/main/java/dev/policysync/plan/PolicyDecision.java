package dev.policysync.plan;

import dev.policysync.policy.PolicyId;

/// What is to be done about one expected policy.
public sealed interface PolicyDecision {
  /// It has to be written.
  record Act(Action action) implements PolicyDecision {}

  /// It is as it should be.
  record InSync(PolicyId id) implements PolicyDecision {}

  /// Its name is taken by one that is not ours.
  record Clash(Plan.Conflict conflict) implements PolicyDecision {}

  /// It is left alone on purpose.
  record Ignore(Plan.Ignored ignored) implements PolicyDecision {}

  /// It cannot be written.
  record Reject(PolicyId id, Failure failure) implements PolicyDecision {}
}
