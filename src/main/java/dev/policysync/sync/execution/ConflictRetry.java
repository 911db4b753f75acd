package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.plan.PolicyDecision;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Attempts one write until there is a response. If the object has changed since the decision
/// (409), or if the response was lost, the object is read and the decision is made again.
final class ConflictRetry {
  /// How often an object may change during the write before it is left to the next run.
  private static final int ATTEMPTS = 4;

  private final PolicyStore store;
  private final PolicyDecider policyDecider;
  private final WriteMode writeMode;
  private final StrictnessCheck strictnessCheck;
  private final Function<Action, Optional<Outcome.NotAttempted>> stopped;

  /// @param stopped called before every further attempt
  ConflictRetry(
      PolicyStore store,
      PolicyDecider policyDecider,
      WriteMode writeMode,
      StrictnessCheck strictnessCheck,
      Function<Action, Optional<Outcome.NotAttempted>> stopped) {
    this.store = store;
    this.policyDecider = policyDecider;
    this.writeMode = writeMode;
    this.strictnessCheck = strictnessCheck;
    this.stopped = stopped;
  }

  /// @param lacks whether Kyverno may not know a shield of the policy yet, so that the write must
  ///   not make it stricter
  /// @param relies the shields as they were listed, without which the write must not make it
  ///   stricter
  Outcome apply(Action.Write planned, boolean lacks, Set<Action.Remove.Generation> relies) {
    var write = planned;
    var unanswered = new Unanswered(planned);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if ((lacks || !relies.isEmpty())
          && strictnessCheck.mayTighten(write)
          && (lacks || !areThere(relies))) {
        return new Outcome.NotAttempted(write, StopReason.UNSHIELDED);
      }
      var tried = write;
      switch (unanswered.attempt(() -> store.apply(tried, writeMode))) {
        case Written.Done(var warnings) -> {
          return new Outcome.Done(write, warnings);
        }
        case Written.Refused(var failure) -> {
          return new Outcome.Failed(write, failure);
        }
        case Written.Stale() -> {
          switch (policyDecider.decide(write.desired(), unanswered.find(write.id()))) {
            case PolicyDecision.Act(Action.Write again) -> {
              if (strictnessCheck.guardedAnew(planned, again)) {
                return new Outcome.NotAttempted(planned, StopReason.CHANGED_MEANWHILE);
              }
              write = again;
            }
            case PolicyDecision.Act(Action.Remove again) ->
                throw new IllegalStateException("an expected policy judged to go: " + again.id());
            case PolicyDecision.InSync _ -> {
              return unanswered.lost.isPresent()
                  ? new Outcome.Done(write, List.of())
                  : new Outcome.Settled(write);
            }
            case PolicyDecision.Clash(var conflict) -> {
              return new Outcome.Dropped(write, conflict.reason());
            }
            case PolicyDecision.Ignore(var ignored) -> {
              return new Outcome.Dropped(write, ignored.reason());
            }
            case PolicyDecision.Reject(_, var failure) -> {
              return new Outcome.Failed(write, failure);
            }
          }
          var objection = stopped.apply(write);
          if (objection.isPresent()) {
            return objection.get();
          }
        }
      }
    }
    return new Outcome.Failed(write, keepsChanging());
  }

  Outcome remove(Action.Remove planned) {
    if (!areThere(planned.inForce())) {
      return new Outcome.NotAttempted(planned, StopReason.SUCCESSOR_NOT_IN_FORCE);
    }
    var unanswered = new Unanswered(planned);
    var outcome = remove(planned, unanswered);
    return unanswered
        .lost
        .filter(_ -> !isTaken(outcome))
        .<Outcome>map(failure -> new Outcome.Failed(planned, failure))
        .orElse(outcome);
  }

  /// Returns whether the object is deleted or being deleted. If it is not, and the response to an
  /// earlier DELETE was lost, the effect of that DELETE is unknown.
  private static boolean isTaken(Outcome removal) {
    return removal instanceof Outcome.Done
        || (removal instanceof Outcome.Failed(_, var failure)
            && failure.cause() == Failure.Cause.TERMINATING);
  }

  private Outcome remove(Action.Remove planned, Unanswered unanswered) {
    var removal = planned;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var tried = removal;
      switch (unanswered.attempt(() -> store.remove(tried, writeMode))) {
        case Written.Done(var warnings) -> {
          return new Outcome.Done(removal, warnings);
        }
        case Written.Refused(var failure) -> {
          return new Outcome.Failed(removal, failure);
        }
        case Written.Stale() -> {
          var live = unanswered.find(removal.id());
          if (live.isEmpty()) {
            return new Outcome.Done(removal, List.of());
          }
          if (!live.get().objectVersion().uid().equals(removal.was().uid())) {
            // The plan did not decide about this new object, and its removal was not approved.
            return new Outcome.Dropped(removal, "it was deleted and recreated in the meantime");
          }
          if (!policyDecider.removable(live.get())) {
            return new Outcome.Dropped(
                removal, "it changed in the meantime and must not be removed");
          }
          if (PolicyDependency.isShield(removal.id().kind())) {
            // The policies that depend on the changed object are unknown.
            return new Outcome.NotAttempted(removal, StopReason.CHANGED_MEANWHILE);
          }
          removal = removal.withVersion(live.get().objectVersion());
          var objection = stopped.apply(removal);
          if (objection.isPresent()) {
            return objection.get();
          }
        }
      }
    }
    return new Outcome.Failed(removal, keepsChanging());
  }

  /// Reads each policy again, alone, and returns whether all are as listed. A list may be stale, or
  /// older than another client's change. So the successors of a policy are read before the policy
  /// is removed, and the shields of a policy before it becomes stricter.
  private boolean areThere(Collection<Action.Remove.Generation> listed) {
    return writeMode != WriteMode.LIVE || listed.stream().allMatch(this::isThere);
  }

  private boolean isThere(Action.Remove.Generation listed) {
    return store.find(listed.id()).filter(listed::is).isPresent();
  }

  private static Failure keepsChanging() {
    return new Failure(
        Failure.Cause.CONFLICT,
        "another client keeps modifying it; identify it with kubectl get --show-managed-fields");
  }

  /// Handles a write whose response was lost, at most once. Whether the write was done is unknown,
  /// so the object is read and the decision is made again as for an object that has changed. The
  /// next request has the version that was read as its precondition: if both requests arrive, one
  /// is rejected. After a second loss, the write is left to the next run.
  private final class Unanswered {
    private final Action action;
    private Optional<Failure> lost = Optional.empty();

    Unanswered(Action action) {
      this.action = action;
    }

    Written attempt(Supplier<Written> write) {
      try {
        return write.get();
      } catch (ClusterUnavailable e) {
        var answerLost = e.failure().cause() == Failure.Cause.UNREACHABLE;
        if (lost.isPresent()) {
          throw new ClusterUnavailable(lost.get());
        }
        if (!answerLost || stopped.apply(action).isPresent()) {
          throw e;
        }
        lost = Optional.of(e.failure());
        return new Written.Stale();
      }
    }

    Optional<LivePolicy> find(PolicyId id) {
      try {
        return store.find(id);
      } catch (ClusterUnavailable e) {
        throw lost.map(ClusterUnavailable::new).orElse(e);
      }
    }
  }
}
