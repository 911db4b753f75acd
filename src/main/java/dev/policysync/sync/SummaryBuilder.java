package dev.policysync.sync;

import dev.policysync.diff.PolicyDiff;
import dev.policysync.plan.Action;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.sync.Summary.Change;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.SyncResult.Finished;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.notification.ApprovalInstructions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sorts what a run came to into the summary's lists.
final class SummaryBuilder {
  private final WriteMode writeMode;
  private final Duration duration;
  private final List<Change> applied = new ArrayList<>();
  private final List<Change> updated = new ArrayList<>();
  private final List<Change> removed = new ArrayList<>();
  private final List<Problem> failed = new ArrayList<>();
  private final List<Note> withheld = new ArrayList<>();
  private final List<Note> conflicts = new ArrayList<>();
  private final List<Note> notAttempted = new ArrayList<>();
  private int unchanged;
  private boolean signalled;
  private Optional<ApprovalInstructions> approval = Optional.empty();
  private Optional<ApprovalInstructions> enforcing = Optional.empty();
  private List<WriteImpact> impact = List.of();
  private List<String> warnings = List.of();
  private Optional<String> skipped = Optional.empty();
  private Optional<Digest> feed = Optional.empty();

  SummaryBuilder(WriteMode writeMode, Duration duration) {
    this.writeMode = writeMode;
    this.duration = duration;
  }

  Summary of(SyncResult result) {
    return switch (result) {
      case Finished run -> {
        add(run);
        warnings = SummaryWarnings.of(run);
        yield summary(signalled ? RunStatus.STOPPED : status());
      }
      // A run that a signal ended is not done, even where nothing was left to write: its exit code
      // is the signal's, and it may have told nobody.
      case SyncResult.Interrupted(var run) -> {
        add(run);
        warnings =
            signalled ? SummaryWarnings.of(run) : SummaryWarnings.ofOneThatHadNothingLeft(run);
        yield summary(RunStatus.STOPPED);
      }
      case SyncResult.Skipped(var holder, var digest) -> {
        skipped = Optional.of("another run is active: " + holder + " holds the Lease");
        feed = Optional.of(digest);
        yield summary(RunStatus.DONE);
      }
      case SyncResult.Stopped() -> summary(RunStatus.STOPPED);
      case SyncResult.Refused(var reason, var retryable) -> {
        failed.add(new Problem(Optional.empty(), Optional.empty(), reason, retryable));
        yield summary(RunStatus.FAILED);
      }
    };
  }

  private void add(Finished run) {
    var plan = run.plan();
    plan.rejected().forEach(r -> failed.add(problem(r.label(), r.name(), r.failure())));
    plan.conflicts().forEach(c -> conflicts.add(new Note(c.id().toString(), c.reason())));
    plan.withheld().forEach(w -> withheld.add(new Note(w.id().toString(), w.reason())));
    unchanged = plan.unchanged().size();
    run.outcomes().forEach(outcome -> add(outcome, run));
    approval = run.removalApproval();
    enforcing = run.enforcementApproval();
    impact = run.impacts();
    feed = Optional.of(run.feed());
  }

  private void add(Outcome outcome, Finished run) {
    var action = outcome.action();
    var id = action.id();
    switch (outcome) {
      case Outcome.Done _ -> list(action).add(change(action, run));
      case Outcome.Failed(_, var failure) ->
          failed.add(problem(id.toString(), Optional.of(id.name()), failure));
      case Outcome.NotAttempted untried -> {
        notAttempted.add(new Note(id.toString(), untried.reason()));
        signalled |= untried.why() == StopReason.SIGNAL;
      }
      case Outcome.Settled _ -> unchanged++;
      case Outcome.Dropped(_, var reason) -> conflicts.add(new Note(id.toString(), reason));
    }
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
    if (!failed.isEmpty() || !notAttempted.isEmpty()) {
      return RunStatus.FAILED;
    }
    return withheld.isEmpty() && conflicts.isEmpty() ? RunStatus.DONE : RunStatus.WITHHELD;
  }

  private Summary summary(RunStatus runStatus) {
    return new Summary(
        runStatus,
        duration,
        List.copyOf(applied),
        List.copyOf(updated),
        List.copyOf(removed),
        List.copyOf(failed),
        unchanged,
        List.copyOf(withheld),
        approval,
        enforcing,
        impact,
        List.copyOf(conflicts),
        List.copyOf(notAttempted),
        warnings,
        writeMode == WriteMode.DRY_RUN,
        skipped,
        feed);
  }
}
