package dev.policysync.plan;

import dev.policysync.policy.PolicyId;

/// What is to be done about one expected policy.
public sealed interface Verdict {
  /// It has to be written.
  record Act(Action action) implements Verdict {}

  /// It is as it should be.
  record InSync(PolicyId id) implements Verdict {}

  /// Its name is taken by one that is not ours.
  record Clash(Plan.Conflict conflict) implements Verdict {}

  /// It cannot be written.
  record Reject(PolicyId id, Failure failure) implements Verdict {}
}
