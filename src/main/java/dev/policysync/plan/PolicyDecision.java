package dev.policysync.plan;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;

/// What to do about one expected policy.
public sealed interface PolicyDecision {
  record Act(Action action) implements PolicyDecision {}

  record InSync(PolicyId id) implements PolicyDecision {}

  /// Report a conflict: a policy of that name is not ours.
  record Clash(Plan.Conflict conflict) implements PolicyDecision {}

  /// Leave the policy unchanged, because it is annotated as ignored.
  record Ignore(Plan.Ignored ignored) implements PolicyDecision {}

  record Reject(Policy policy, Failure failure) implements PolicyDecision {}
}
