package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Digest;
import dev.policysync.sync.Summary.Change;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.SyncResult.Finished;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sorts the result of a run into the lists of the summary.
final class SummaryBuilder {
  private final WriteMode writeMode;
  private final Duration duration;
  private final Instant now;
  private final Optional<AgentNamespace> namespace;
  private final List<Change> applied = new ArrayList<>();
  private final List<Change> updated = new ArrayList<>();
  private final List<Change> removed = new ArrayList<>();
  private final List<Problem> failed = new ArrayList<>();
  private final List<Plan.Withheld> withheld = new ArrayList<>();
  private final List<Note> conflicts = new ArrayList<>();
  private final List<Note> notAttempted = new ArrayList<>();
  private final List<Note> waiting = new ArrayList<>();
  private final List<Note> notInForce = new ArrayList<>();
  private final List<Note> ignored = new ArrayList<>();
  private final List<Note> terminating = new ArrayList<>();
  private final List<String> approvals = new ArrayList<>();
  private int unchanged;
  private boolean signalled;
  private Optional<ApprovalInstructions> approval = Optional.empty();
  private Optional<ApprovalInstructions> enforcing = Optional.empty();
  private List<WriteImpact> impact = List.of();
  private Optional<List<PolicyConversion>> conversions = Optional.empty();
  private final List<String> warnings = new ArrayList<>();
  private Optional<String> skipped = Optional.empty();
  private Optional<Digest> feed = Optional.empty();

  SummaryBuilder(
      WriteMode writeMode, Duration duration, Instant now, Optional<AgentNamespace> namespace) {
    this.writeMode = writeMode;
    this.duration = duration;
    this.now = now;
    this.namespace = namespace;
  }

  Summary of(SyncResult result) {
    return switch (result) {
      case Finished run -> {
        add(run);
        addEarlyEnd(run.outcomes());
        warnings.addAll(SummaryWarnings.of(run));
        yield summary(signalled ? RunStatus.STOPPED : status());
      }
      // A signal sets the exit code even if all writes were done: the notifications after the
      // writes may not have been sent.
      case SyncResult.Interrupted(var run) -> {
        add(run);
        warnings.addAll(
            signalled ? SummaryWarnings.of(run) : SummaryWarnings.ofOneThatHadNothingLeft(run));
        yield summary(RunStatus.STOPPED);
      }
      case SyncResult.Skipped(var holder, var digest, var objection) -> {
        feed = Optional.of(digest);
        if (objection.isEmpty()) {
          skipped = Optional.of("another run is active: " + holder + " holds the Lease");
          yield summary(RunStatus.DONE);
        }
        skipped = Optional.of(holder + " holds the Lease");
        var reason = "nothing was synced, because " + holder + " holds the Lease: ";
        failed.add(failedRun(reason + objection.get(), true));
        yield summary(RunStatus.FAILED);
      }
      case SyncResult.CutOff(var reason, var run) -> {
        run.ifPresent(known -> {
          add(known);
          warnings.addAll(SummaryWarnings.of(known));
        });
        failed.add(failedRun(reason, true));
        yield summary(RunStatus.FAILED);
      }
      case SyncResult.Stopped() -> summary(RunStatus.STOPPED);
      case SyncResult.Refused(var reason, var retryable) -> {
        failed.add(failedRun(reason, retryable));
        yield summary(RunStatus.FAILED);
      }
    };
  }

  private void add(Finished run) {
    var plan = run.plan();
    plan.rejectedOnTheirOwn().forEach(r -> failed.add(problem(r.label(), r.name(), r.failure())));
    plan.problems().unlistable().forEach(kind -> failed.add(unlisted(kind)));
    plan.problems()
        .conflicts()
        .forEach(c -> conflicts.add(new Note(c.id().toString(), c.reason())));
    withheld.addAll(plan.pending().withheld());
    plan.pending().waiting().forEach(w -> waiting.add(new Note(w.id().toString(), w.reason())));
    plan.retained()
        .ignored()
        .forEach(left -> ignored.add(new Note(left.id().toString(), left.reason())));
    plan.retained().terminating().forEach(this::addTerminating);
    run.notInForce()
        .forEach(policy -> notInForce.add(new Note(policy.id().toString(), policy.reason())));
    unchanged = plan.unchanged().size();
    run.outcomes().forEach(outcome -> add(outcome, run));
    addApproval("removals", plan.approvals().removals());
    addApproval("enforcement", plan.approvals().enforcement().approvalState());
    approval = run.removalApproval();
    enforcing = run.enforcementApproval();
    impact = run.impacts();
    conversions = run.conversions();
    feed = Optional.of(run.feed());
  }

  /// Adds a failure if the run ended before all its actions, so that the summary gives the reason
  /// and not only the actions that were not attempted.
  private void addEarlyEnd(List<Outcome> outcomes) {
    var done = outcomes.stream().filter(Outcome.Done.class::isInstance).count();
    outcomes.stream()
        .filter(Outcome.NotAttempted.class::isInstance)
        .map(outcome -> ((Outcome.NotAttempted) outcome).why())
        .filter(StopReason::endsTheRun)
        .findFirst()
        .ifPresent(why ->
            failed.add(
                failedRun(
                    why
                        + " after "
                        + done
                        + " of "
                        + outcomes.size()
                        + " changes; the next run continues",
                    true)));
  }

  private void add(Outcome outcome, Finished run) {
    var action = outcome.action();
    var id = action.id();
    switch (outcome) {
      case Outcome.Done _ -> list(action).add(change(action, run));
      case Outcome.Failed(Action.Remove _, var failure)
          when failure.cause() == Failure.Cause.TERMINATING ->
          terminating.add(new Note(id.toString(), failure.reason()));
      case Outcome.Failed(_, var failure) ->
          failed.add(
              new Problem(
                  Optional.of(id.toString()),
                  Optional.of(id.name()),
                  failure.reason(),
                  failure.retryable(),
                  action instanceof Action.Write write
                      ? Optional.of(write.desired().policy().position())
                      : Optional.empty()));
      case Outcome.NotAttempted untried -> {
        notAttempted.add(new Note(id.toString(), untried.reason()));
        signalled |= untried.why() == StopReason.SIGNAL;
      }
      case Outcome.Settled _ -> unchanged++;
      case Outcome.Dropped(_, var reason) -> conflicts.add(new Note(id.toString(), reason));
    }
  }

  private void addApproval(String what, ApprovalState approvalState) {
    switch (approvalState) {
      case ApprovalState.Given(var given) ->
          approvals.add(what + ": list " + given.list() + " (annotation on the Lease)");
      case ApprovalState.GivenToFeed(var feed) ->
          approvals.add(what + ": feed " + feed + " (APPROVED_FEED)");
      case ApprovalState.NotNeeded _, ApprovalState.Missing _, ApprovalState.Ended _ -> {
        // No approval was given.
      }
    }
  }

  /// Lists a policy that is being deleted. It counts as failed only if its finalizer is overdue.
  private void addTerminating(Plan.Terminating policy) {
    var id = policy.id();
    var since = policy.since().map(time -> ", since " + time).orElse("");
    var reason = "its removal waits for a finalizer" + since;
    terminating.add(new Note(id.toString(), reason));
    if (policy.overdue(now)) {
      failed.add(
          new Problem(
              Optional.of(id.toString()),
              Optional.of(id.name()),
              reason + "; restore the controller that owns the finalizer, or remove it",
              true));
    }
  }

  /// Returns a failure for a kind that could not be listed: whether its policies exist and are in
  /// force is unknown.
  private static Problem unlisted(Plan.Unlistable kind) {
    return new Problem(
        Optional.of(kind.kind().label()),
        Optional.empty(),
        kind.reason(),
        kind.failure().retryable());
  }

  private static Problem failedRun(String reason, boolean retryable) {
    return new Problem(Optional.empty(), Optional.empty(), reason, retryable);
  }

  private List<Change> list(Action action) {
    return switch (action) {
      case Action.Create _ -> applied;
      case Action.Update _ -> updated;
      case Action.Remove _ -> removed;
    };
  }

  private static Change change(Action action, Finished run) {
    var by = action instanceof Action.Update update ? List.copyOf(update.by()) : List.<String>of();
    var policyDiff = run.changes().getOrDefault(action.id(), PolicyDiff.NONE);
    return new Change(action.id(), action.cause(), by, policyDiff);
  }

  private static Problem problem(String label, Optional<String> name, Failure failure) {
    return new Problem(Optional.of(label), name, failure.reason(), failure.retryable());
  }

  private RunStatus status() {
    if (!failed.isEmpty() || !notAttempted.isEmpty() || !notInForce.isEmpty()) {
      return RunStatus.FAILED;
    }
    return withheld.isEmpty() && conflicts.isEmpty() ? RunStatus.DONE : RunStatus.WITHHELD;
  }

  private Summary summary(RunStatus runStatus) {
    namespace
        .flatMap(AgentNamespace::objection)
        .ifPresent(objection ->
            warnings.add("a run that writes is refused from here: " + objection.reason()));
    return new Summary(
        runStatus,
        duration,
        writeMode == WriteMode.DRY_RUN,
        new Summary.Writes(
            List.copyOf(applied),
            List.copyOf(updated),
            List.copyOf(removed),
            List.copyOf(failed),
            List.copyOf(notAttempted)),
        new Summary.Pending(
            List.copyOf(withheld),
            List.copyOf(waiting),
            approval,
            enforcing,
            List.copyOf(approvals)),
        new Summary.Untouched(
            unchanged,
            List.copyOf(conflicts),
            List.copyOf(notInForce),
            List.copyOf(ignored),
            List.copyOf(terminating)),
        impact,
        conversions,
        List.copyOf(warnings),
        skipped,
        feed,
        namespace);
  }
}
