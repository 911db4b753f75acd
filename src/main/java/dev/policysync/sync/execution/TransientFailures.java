package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.List;

/// Temporary failures, and which removals wait for them: all removals (promise 5), unless a failure
/// has lasted. For a lasting failure only these removals wait:
///
/// - exceptions and context entries: the failed policy may need them as it is now (promise 6);
/// - if a webhook is down, policies of the kind that the webhook keeps from being applied: a
///   removal would bypass it;
/// - policies of the same name and another kind, which wait for any successor.
///
/// @param rejected policies that the plan could not even attempt
/// @param lasting failures that have lasted for so long that they may never end
record TransientFailures(List<Plan.Rejected> rejected, FailureHistory lasting) {

  boolean holdBack(Action.Remove removal, List<Outcome> before) {
    var everything = PolicyDependency.isShield(removal.id().kind());
    return rejected.stream()
            .filter(policy -> policy.failure().retryable())
            .anyMatch(policy -> everything || policy.id().filter(lasting::contains).isEmpty())
        || before.stream()
            .filter(TransientFailures::mayPass)
            .anyMatch(outcome -> everything || concerns(outcome, removal.id()));
  }

  private boolean concerns(Outcome failed, PolicyId removed) {
    var id = failed.action().id();
    return !lasting.contains(id) || (webhookDown(failed) && id.kind() == removed.kind());
  }

  private static boolean webhookDown(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed(_, var failure) -> failure.cause() == Failure.Cause.WEBHOOK_UNREACHABLE;
      case Outcome.NotAttempted(_, var why, _) -> why == StopReason.WEBHOOK_DOWN;
      case Outcome.Done _, Outcome.Settled _, Outcome.Dropped _ -> false;
    };
  }

  /// Returns whether the outcome is a temporary failure. A removal that waited for such a failure,
  /// or for a webhook that is down, does not count as one.
  private static boolean mayPass(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed(_, var failure) -> failure.retryable();
      case Outcome.NotAttempted(var action, var why, _) ->
          switch (why) {
            case SUCCESSOR_NOT_IN_FORCE, UNSHIELDED, EARLIER_FAILURE -> false;
            case WEBHOOK_DOWN -> action instanceof Action.Write;
            case LEASE_LOST,
                DEADLINE,
                SIGNAL,
                CUT_OFF,
                SERVER_DOWN,
                APPROVAL_GONE,
                CHANGED_MEANWHILE ->
                true;
          };
      case Outcome.Done _, Outcome.Settled _, Outcome.Dropped _ -> false;
    };
  }
}
