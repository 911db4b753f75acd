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

/// One write, tried until it is answered: where the object is no longer the one that was judged
/// (409), or nobody knows because the answer is lost, it is read and judged anew.
final class ConflictRetry {
  /// How often an object may change under our hands before we leave it to the next run.
  private static final int ATTEMPTS = 4;

  private final PolicyStore store;
  private final PolicyDecider policyDecider;
  private final WriteMode writeMode;
  private final StrictnessCheck strictnessCheck;
  private final Function<Action, Optional<Outcome.NotAttempted>> stopped;

  /// @param stopped asked before every further try
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

  /// @param lacks whether Kyverno may not know a shield for it yet, so that it must not block more
  /// @param relies the shields that it is not to block more without, as they were listed
  Outcome apply(Action.Write asked, boolean lacks, Set<Action.Remove.Generation> relies) {
    var write = asked;
    var unanswered = new Unanswered(asked);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if ((lacks || !relies.isEmpty())
          && strictnessCheck.mayTighten(write)
          && (lacks || !areThere(relies))) {
        return new Outcome.NotAttempted(write, StopReason.UNSHIELDED);
      }
      var tried = write;
      switch (unanswered.or(() -> store.apply(tried, writeMode))) {
        case Written.Done(var warnings) -> {
          return new Outcome.Done(write, warnings);
        }
        case Written.Refused(var failure) -> {
          return new Outcome.Failed(write, failure);
        }
        case Written.Stale() -> {
          switch (policyDecider.decide(write.desired(), unanswered.find(write.id()))) {
            case PolicyDecision.Act(Action.Write again) -> {
              if (strictnessCheck.guardedAnew(asked, again)) {
                return new Outcome.NotAttempted(asked, StopReason.CHANGED_MEANWHILE);
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

  Outcome remove(Action.Remove asked) {
    if (!areThere(asked.inForce())) {
      return new Outcome.NotAttempted(asked, StopReason.SUCCESSOR_NOT_IN_FORCE);
    }
    var unanswered = new Unanswered(asked);
    var outcome = remove(asked, unanswered);
    return unanswered
        .lost
        .filter(_ -> !isTaken(outcome))
        .<Outcome>map(failure -> new Outcome.Failed(asked, failure))
        .orElse(outcome);
  }

  /// Whether the object goes. If not, and the answer to a DELETE was lost before, nobody knows
  /// whether that one did anything to it.
  private static boolean isTaken(Outcome removal) {
    return removal instanceof Outcome.Done
        || (removal instanceof Outcome.Failed(_, var failure)
            && failure.cause() == Failure.Cause.TERMINATING);
  }

  private Outcome remove(Action.Remove asked, Unanswered unanswered) {
    var removal = asked;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var tried = removal;
      switch (unanswered.or(() -> store.remove(tried, writeMode))) {
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
            // Nobody judged this one, and nobody consented to its removal.
            return new Outcome.Dropped(removal, "it was deleted and recreated in the meantime");
          }
          if (!policyDecider.removable(live.get())) {
            return new Outcome.Dropped(
                removal, "it changed in the meantime and must not be removed");
          }
          if (PolicyDependency.is(removal.id().kind())) {
            // Nobody knows whom it serves now.
            return new Outcome.NotAttempted(removal, StopReason.CHANGED_MEANWHILE);
          }
          removal = removal.now(live.get().objectVersion());
          var objection = stopped.apply(removal);
          if (objection.isPresent()) {
            return objection.get();
          }
        }
      }
    }
    return new Outcome.Failed(removal, keepsChanging());
  }

  /// A list may be old, or its answer older than somebody's change: what takes the place of a
  /// policy is read again, alone, before that goes, and so is what shields from it before it blocks
  /// more.
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

  /// A write whose answer is lost, once: nobody knows whether it was done, so the object is read
  /// and judged anew like one that has changed, and what is then sent is tied to what was read. Of
  /// two that arrive, one is refused. A second loss is no chance, and is left to the next run.
  private final class Unanswered {
    private final Action action;
    private Optional<Failure> lost = Optional.empty();

    Unanswered(Action action) {
      this.action = action;
    }

    Written or(Supplier<Written> write) {
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
