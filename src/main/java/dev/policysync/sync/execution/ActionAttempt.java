package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDecider;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Attempts the actions of one plan, unless there is a reason not to: the run has to stop, a
/// webhook or the API server cannot be reached, an earlier stage failed, or the approval is gone.
final class ActionAttempt {
  private final Plan plan;
  private final Supplier<Optional<StopReason>> stop;
  private final ApprovalUse toRemove;
  private final ApprovalUse toEnforce;
  private final ConflictRetry conflictRetry;
  private final UnreachableServices unreachableServices = new UnreachableServices();

  /// @param stop called before every write
  /// @param use uses up an approval, and returns whether it still existed
  ActionAttempt(
      Plan plan,
      PolicyStore store,
      PolicyDecider policyDecider,
      WriteMode writeMode,
      StrictnessCheck strictnessCheck,
      Supplier<Optional<StopReason>> stop,
      Predicate<Approval> use) {
    this.plan = plan;
    this.stop = stop;
    this.toRemove = new ApprovalUse(plan.approvals().removals(), use);
    this.toEnforce = new ApprovalUse(plan.approvals().enforcement().approvalState(), use);
    this.conflictRetry =
        new ConflictRetry(store, policyDecider, writeMode, strictnessCheck, this::stopped);
  }

  Outcome of(Action action, EarlierOutcomes earlier) {
    var objection =
        stopped(action)
            .or(() -> earlier.objection(action).map(why -> new Outcome.NotAttempted(action, why)));
    if (objection.isPresent()) {
      return objection.get();
    }
    var begun = unreachableServices.begin();
    var outcome = tryTo(action);
    switch (outcome) {
      case Outcome.Done _ -> unreachableServices.done(action.id().kind());
      case Outcome.Failed(_, var failure) ->
          unreachableServices.failed(action.id().kind(), failure, begun);
      case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> {
        // Nothing was written.
      }
    }
    return outcome;
  }

  private Optional<Outcome.NotAttempted> stopped(Action action) {
    return unreachableServices
        .objection(action)
        .or(() -> stop.get().map(why -> new Outcome.NotAttempted(action, why)));
  }

  private Outcome tryTo(Action action) {
    try {
      if (!granted(action)) {
        return new Outcome.NotAttempted(action, StopReason.APPROVAL_GONE);
      }
      return switch (action) {
        case Action.Write write ->
            conflictRetry.apply(
                write,
                !plan.dependencies().neededBy(write.id()).isEmpty(),
                plan.dependencies().reliedOnBy(write.id()));
        case Action.Remove removal -> conflictRetry.remove(removal);
      };
    } catch (ClusterUnavailable e) {
      var failed = new Outcome.Failed(action, e.failure());
      return e.failure().cause() == Failure.Cause.NOT_SENT
          ? stop.get().<Outcome>map(why -> new Outcome.NotAttempted(action, why)).orElse(failed)
          : failed;
    }
  }

  private boolean granted(Action action) {
    var enforces = plan.approvals().enforcement().approved().contains(action.id());
    return (!enforces || toEnforce.granted())
        && (!(action instanceof Action.Remove) || toRemove.granted());
  }
}
