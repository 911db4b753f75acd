package dev.policysync.sync.execution;

import dev.policysync.kyverno.PolicyDependency;
import dev.policysync.parallel.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Planner;
import dev.policysync.plan.PolicyDecision;
import dev.policysync.plan.live.Failure;
import dev.policysync.plan.live.LivePolicy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Turns a plan's actions into outcomes: stage after stage, a stage's policies side by side,
/// removals last and only after nothing failed that may pass (promise 5).
public final class Execution {
  /// How often an object may change under our hands before we leave it to the next run.
  private static final int ATTEMPTS = 4;

  private final PolicyStore store;
  private final Planner planner;
  private final WriteMode writeMode;
  private final int concurrency;
  private final Supplier<Optional<StopReason>> stop;
  private final BooleanSupplier mayRemove;
  private final BooleanSupplier mayEnforce;
  private final StrictnessCheck strictnessCheck;
  private final Progress progress;
  private final CircuitBreaker circuitBreaker = new CircuitBreaker();
  private final AtomicInteger finished = new AtomicInteger();
  private TransientFailures failures = new TransientFailures(List.of(), FailureHistory.NONE);
  private Optional<Boolean> leaveToRemove = Optional.empty();
  private Optional<Boolean> leaveToEnforce = Optional.empty();

  /// @param stop asked before every write
  /// @param mayRemove asked once, right before the first removal: the write that uses up what
  ///   allows them
  /// @param mayEnforce the same for writes that somebody has to let begin to block
  /// @param strictnessCheck asked where a write is another one than was planned, or lacks a shield
  public Execution(
      PolicyStore store,
      Planner planner,
      WriteMode writeMode,
      int concurrency,
      Supplier<Optional<StopReason>> stop,
      BooleanSupplier mayRemove,
      BooleanSupplier mayEnforce,
      StrictnessCheck strictnessCheck,
      Progress progress) {
    this.store = store;
    this.planner = planner;
    this.writeMode = writeMode;
    this.concurrency = concurrency;
    this.stop = stop;
    this.mayRemove = mayRemove;
    this.mayEnforce = mayEnforce;
    this.strictnessCheck = strictnessCheck;
    this.progress = progress;
  }

  /// Executes the plan; the outcomes are in the order of its actions.
  ///
  /// @param lasting failures that removals no longer wait for
  public List<Outcome> run(Plan plan, FailureHistory lasting) {
    if (plan.actions().isEmpty()) {
      return List.of();
    }
    failures = new TransientFailures(plan.rejected(), lasting);
    var outcomes = new ArrayList<Outcome>();
    var inForce = new HashSet<>(plan.unchanged());
    try (var threads = Parallel.threads(Math.min(concurrency, plan.actions().size()))) {
      for (var stage : stages(plan).values()) {
        var before = List.copyOf(outcomes);
        var done = runStage(threads, stage, plan, before, inForce);
        outcomes.addAll(done);
        done.stream()
            .filter(outcome -> outcome.action() instanceof Action.Write)
            .filter(
                outcome -> outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled)
            .forEach(outcome -> inForce.add(outcome.action().id()));
      }
    }
    return List.copyOf(outcomes);
  }

  private static Map<Integer, List<Action>> stages(Plan plan) {
    var stages = new LinkedHashMap<Integer, List<Action>>();
    for (var action : plan.actions()) {
      stages.computeIfAbsent(Plan.stage(action), _ -> new ArrayList<>()).add(action);
    }
    return stages;
  }

  private List<Outcome> runStage(
      ExecutorService threads,
      List<Action> stage,
      Plan plan,
      List<Outcome> before,
      Set<PolicyId> inForce) {
    var pending = new ArrayList<Future<Outcome>>();
    for (var action : stage) {
      Callable<Outcome> task =
          () -> {
            var outcome = attempt(action, plan, before, inForce);
            progress.finished(outcome, finished.incrementAndGet(), plan.actions().size());
            return outcome;
          };
      pending.add(threads.submit(task));
    }
    var outcomes = new ArrayList<Outcome>();
    for (var future : pending) {
      outcomes.add(Parallel.result(future, "waiting for a write"));
    }
    return outcomes;
  }

  private Outcome attempt(Action action, Plan plan, List<Outcome> before, Set<PolicyId> inForce) {
    var objection =
        stopped(action)
            .or(() ->
                reasonNotTo(action, plan, before, inForce)
                    .map(why -> new Outcome.NotAttempted(action, why)));
    if (objection.isPresent()) {
      return objection.get();
    }
    var begun = circuitBreaker.begin();
    var lacking = lacksShield(action, plan, before);
    var outcome =
        tryTo(action, plan.enforcementApproval().approved().contains(action.id()), lacking);
    switch (outcome) {
      case Outcome.Done _ -> circuitBreaker.done(action.id().kind());
      case Outcome.Failed(_, var failure) ->
          circuitBreaker.failed(action.id().kind(), failure, begun);
      case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> {
        // Nothing was written.
      }
    }
    return outcome;
  }

  /// @param enforces whether somebody had to let it begin to block
  /// @param lacking whether a shield that it needs could not be applied
  private Outcome tryTo(Action action, boolean enforces, boolean lacking) {
    try {
      if (enforces && !leaveToEnforce()) {
        return new Outcome.NotAttempted(action, StopReason.APPROVAL_GONE);
      }
      return switch (action) {
        case Action.Write write -> apply(write, lacking);
        case Action.Remove removal ->
            leaveToRemove()
                ? remove(removal)
                : new Outcome.NotAttempted(removal, StopReason.APPROVAL_GONE);
      };
    } catch (ClusterUnavailable e) {
      var failed = new Outcome.Failed(action, e.failure());
      return e.failure().cause() == Failure.Cause.NOT_SENT
          ? stop.get().<Outcome>map(why -> new Outcome.NotAttempted(action, why)).orElse(failed)
          : failed;
    }
  }

  private Optional<StopReason> reasonNotTo(
      Action action, Plan plan, List<Outcome> before, Set<PolicyId> inForce) {
    if (!(action instanceof Action.Remove removal)) {
      return Optional.empty();
    }
    if (failures.holdBack(removal, before)) {
      return Optional.of(StopReason.EARLIER_FAILURE);
    }
    if (PolicyDependency.is(removal.id().kind()) && isNeeded(removal, plan, before)) {
      return Optional.of(StopReason.STILL_NEEDED);
    }
    return inForce.containsAll(removal.successors())
        ? Optional.empty()
        : Optional.of(StopReason.SUCCESSOR_NOT_IN_FORCE);
  }

  private synchronized boolean leaveToRemove() {
    if (leaveToRemove.isEmpty()) {
      leaveToRemove = Optional.of(mayRemove.getAsBoolean());
    }
    return leaveToRemove.get();
  }

  private synchronized boolean leaveToEnforce() {
    if (leaveToEnforce.isEmpty()) {
      leaveToEnforce = Optional.of(mayEnforce.getAsBoolean());
    }
    return leaveToEnforce.get();
  }

  private Optional<Outcome.NotAttempted> stopped(Action action) {
    return circuitBreaker
        .objection(action)
        .or(() -> stop.get().map(why -> new Outcome.NotAttempted(action, why)));
  }

  /// Whether an exception or a context entry has to outlive a policy that is still there, or still
  /// is what it was (promise 6).
  private static boolean isNeeded(Action.Remove shield, Plan plan, List<Outcome> before) {
    var served = plan.dependencies().servedBy(shield.id());
    return before.stream()
        .anyMatch(outcome ->
            stillThere(outcome) || (served.contains(outcome.action().id()) && !asWanted(outcome)));
  }

  /// Whether it is a policy that should have gone and is in force all the same.
  private static boolean stillThere(Outcome outcome) {
    return outcome.action() instanceof Action.Remove removal
        && removal.id().kind().role() == PolicyKind.Role.POLICY
        && (outcome instanceof Outcome.Failed || outcome instanceof Outcome.NotAttempted);
  }

  /// Whether nothing is in force under that name that the feed does not want.
  private static boolean asWanted(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Done _, Outcome.Settled _ -> true;
      case Outcome.Failed _, Outcome.NotAttempted _ -> outcome.action() instanceof Action.Create;
      case Outcome.Dropped _ -> false;
    };
  }

  private static boolean lacksShield(Action action, Plan plan, List<Outcome> before) {
    var needed = plan.dependencies().neededBy(action.id());
    return before.stream()
        .filter(outcome -> needed.contains(outcome.action().id()))
        .anyMatch(
            outcome -> !(outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled));
  }

  private Outcome apply(Action.Write asked, boolean lacking) {
    var write = asked;
    var unanswered = new Unanswered(asked);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (lacking && strictnessCheck.mayTighten(write)) {
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
          switch (planner.judge(write.desired(), unanswered.find(write.id()))) {
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
            case PolicyDecision.Reject(_, var failure) -> {
              return new Outcome.Failed(write, failure);
            }
          }
          var stopped = stopped(write);
          if (stopped.isPresent()) {
            return stopped.get();
          }
        }
      }
    }
    return new Outcome.Failed(write, keepsChanging());
  }

  private Outcome remove(Action.Remove asked) {
    var removal = asked;
    var unanswered = new Unanswered(asked);
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
            return new Outcome.Dropped(removal, "it was deleted and created anew meanwhile");
          }
          if (!planner.removable(live.get())) {
            return new Outcome.Dropped(removal, "it changed meanwhile and is not ours to remove");
          }
          if (PolicyDependency.is(removal.id().kind())) {
            // Nobody knows whom it serves now.
            return new Outcome.NotAttempted(removal, StopReason.CHANGED_MEANWHILE);
          }
          removal =
              new Action.Remove(removal.id(), live.get().objectVersion(), removal.successors());
          var stopped = stopped(removal);
          if (stopped.isPresent()) {
            return stopped.get();
          }
        }
      }
    }
    return new Outcome.Failed(removal, keepsChanging());
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
        if (!answerLost || stopped(action).isPresent()) {
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

  private static Failure keepsChanging() {
    return new Failure(
        Failure.Cause.CONFLICT,
        "somebody else writes it again and again; find out who with kubectl get --show-managed-fields");
  }
}
