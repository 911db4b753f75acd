package dev.policysync.sync;

import dev.policysync.diff.PolicyDiff;
import dev.policysync.plan.Action;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Plan;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WarningGroups;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.notification.ApprovalInstructions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A run in a form for people and log queries: everything that happened, nothing that was counted
/// along the way. Policies read as `ClusterPolicy/team-label`.
///
/// @param status what the exit code is made of
/// @param conflicts policies whose name is taken, with the reason
/// @param withheld removals and other writes that a guard holds back, with the guard
/// @param approval how to let the removals through, where a person may
/// @param enforcing how to let through what would block more than before
/// @param impact which writes change what is blocked, those that are withheld too
/// @param skipped why nothing was done, when another run has the Lease
/// @param feed digest of the feed, where one was read
public record Summary(
    RunStatus status,
    Duration duration,
    List<Change> applied,
    List<Change> updated,
    List<Change> removed,
    List<Problem> failed,
    int unchanged,
    List<Note> withheld,
    Optional<ApprovalInstructions> approval,
    Optional<ApprovalInstructions> enforcing,
    List<WriteImpact> impact,
    List<Note> conflicts,
    List<Note> notAttempted,
    List<String> warnings,
    boolean dryRun,
    Optional<String> skipped,
    Optional<Digest> feed) {

  /// How a run ended.
  public enum RunStatus {
    /// In sync, or nothing to do because another run is at work.
    DONE,
    /// Something failed.
    FAILED,
    /// A guard held something back; the rest was done.
    WITHHELD,
    /// A signal stopped it.
    STOPPED
  }

  /// What was done to a policy and why.
  ///
  /// @param by who had changed it, where that is why and where it is known
  public record Change(
      PolicyId policy, Action.Cause cause, List<String> by, PolicyDiff policyDiff) {
    /// A change that nobody else caused.
    public Change(PolicyId policy, Action.Cause cause, PolicyDiff policyDiff) {
      this(policy, cause, List.of(), policyDiff);
    }

    public Change {
      by = List.copyOf(by);
    }
  }

  /// What went wrong with a policy, or with the run.
  ///
  /// @param label the policy, or its place in the feed; none where the run itself failed
  /// @param name the policy's name, if it has one
  public record Problem(
      Optional<String> label, Optional<String> name, String reason, boolean retryable) {}

  /// A policy and a remark.
  public record Note(String policy, String reason) {}

  /// What that result amounts to.
  public static Summary of(SyncResult result, WriteMode writeMode, Duration duration) {
    var dryRun = writeMode == WriteMode.DRY_RUN;
    return switch (result) {
      case SyncResult.Finished finished -> new Tally(finished).summary(dryRun, duration);
      case SyncResult.Interrupted(var run) -> new Tally(run).interrupted(dryRun, duration);
      case SyncResult.Skipped(var holder, var feed) ->
          bare(
              RunStatus.DONE,
              duration,
              List.of(),
              dryRun,
              Optional.of("another run is at work: " + holder + " holds the Lease"),
              Optional.of(feed));
      case SyncResult.Stopped() ->
          bare(RunStatus.STOPPED, duration, List.of(), dryRun, Optional.empty(), Optional.empty());
      case SyncResult.Refused(var reason, var retryable) ->
          bare(
              RunStatus.FAILED,
              duration,
              List.of(new Problem(Optional.empty(), Optional.empty(), reason, retryable)),
              dryRun,
              Optional.empty(),
              Optional.empty());
    };
  }

  /// Whether anything is, or in a dry run would be, written.
  public boolean changes() {
    return !applied.isEmpty() || !updated.isEmpty() || !removed.isEmpty();
  }

  private static Summary bare(
      RunStatus runStatus,
      Duration duration,
      List<Problem> failed,
      boolean dryRun,
      Optional<String> skipped,
      Optional<Digest> feed) {
    return new Summary(
        runStatus,
        duration,
        List.of(),
        List.of(),
        List.of(),
        failed,
        0,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        dryRun,
        skipped,
        feed);
  }

  /// Sorts a finished run's plan and outcomes into the summary's lists.
  private static final class Tally {
    private static final String AFTER_THE_WRITES =
        "the run was stopped by a signal when nothing was left to write; what it could not tell any"
            + " more, the next run tells";

    private final SyncResult.Finished run;
    private final List<Change> applied = new ArrayList<>();
    private final List<Change> updated = new ArrayList<>();
    private final List<Change> removed = new ArrayList<>();
    private final List<Problem> failed = new ArrayList<>();
    private final List<Note> conflicts = new ArrayList<>();
    private final List<Note> notAttempted = new ArrayList<>();
    private final WarningGroups said = new WarningGroups(": ", ": ");
    private boolean interrupted;
    private boolean signalled;
    private int settled;

    Tally(SyncResult.Finished run) {
      this.run = run;
    }

    /// A run that a signal ended is not done, even where nothing was left to write: its exit code
    /// is the signal's, and it may have told nobody.
    Summary interrupted(boolean dryRun, Duration duration) {
      interrupted = true;
      return summary(dryRun, duration);
    }

    Summary summary(boolean dryRun, Duration duration) {
      var plan = run.plan();
      plan.rejected().forEach(r -> failed.add(problem(r.label(), r.name(), r.failure())));
      plan.conflicts().forEach(c -> conflicts.add(new Note(c.id().toString(), c.reason())));
      run.outcomes().forEach(this::add);
      var withheld =
          plan.withheld().stream().map(w -> new Note(w.id().toString(), w.reason())).toList();
      return new Summary(
          ending(withheld),
          duration,
          List.copyOf(applied),
          List.copyOf(updated),
          List.copyOf(removed),
          List.copyOf(failed),
          plan.unchanged().size() + settled,
          withheld,
          run.removalApproval(),
          run.enforcementApproval(),
          run.impacts(),
          List.copyOf(conflicts),
          List.copyOf(notAttempted),
          warnings(),
          dryRun,
          Optional.empty(),
          Optional.of(run.feed()));
    }

    private List<String> warnings() {
      var warnings = new ArrayList<>(said.lines());
      for (var kind : run.plan().unlistable()) {
        warnings.add(kind.kind() + " is left alone: " + kind.failure().reason());
      }
      var stays = new WarningGroups(" stays: ", " stay: ");
      run.plan().kept().forEach(kept -> stays.add(kept.id(), kept.reason()));
      warnings.addAll(stays.lines());
      var fought = new WarningGroups(": ", ": ");
      run.plan()
          .managerConflicts()
          .forEach(managerConflict -> fought.add(managerConflict.id(), text(managerConflict)));
      warnings.addAll(fought.lines());
      warnings.addAll(tightenings());
      for (var approvalState :
          List.of(run.plan().removalApproval(), run.plan().enforcementApproval().approvalState())) {
        if (approvalState instanceof ApprovalState.Missing(_, var objection)) {
          objection.ifPresent(warnings::add);
        }
      }
      warnings.addAll(run.remarks());
      if (interrupted && !signalled) {
        warnings.add(AFTER_THE_WRITES);
      }
      return warnings;
    }

    /// What blocks more from now on, unless reports show that nobody is concerned. What was not
    /// written blocks nothing.
    private List<String> tightenings() {
      var certain = new WarningGroups(" blocks more than before: ", " block more than before: ");
      var possible =
          new WarningGroups(" may block more than before: ", " may block more than before: ");
      var unwritten =
          Stream.concat(
                  run.plan().withheld().stream().map(Plan.Withheld::id),
                  run.plan().kept().stream().map(Plan.Kept::id))
              .collect(Collectors.toSet());
      for (var outcome : run.outcomes()) {
        if (outcome instanceof Outcome.NotAttempted || outcome instanceof Outcome.Dropped) {
          unwritten.add(outcome.action().id());
        }
      }
      for (var writeImpact : run.impacts()) {
        var id = writeImpact.impact().policy();
        if (!unwritten.contains(id) && writeImpact.worrying()) {
          (writeImpact.impact().tightens() ? certain : possible).add(id, writeImpact.because());
        }
      }
      var lines = new ArrayList<>(certain.lines());
      lines.addAll(possible.lines());
      return lines;
    }

    private void add(Outcome outcome) {
      var action = outcome.action();
      var id = action.id();
      switch (outcome) {
        case Outcome.Done(_, var warnings) -> {
          list(action).add(change(action));
          warnings.forEach(warning -> said.add(id, warning));
        }
        case Outcome.Failed(_, var failure) ->
            failed.add(problem(id.toString(), Optional.of(id.name()), failure));
        case Outcome.NotAttempted untried -> {
          notAttempted.add(new Note(id.toString(), untried.reason()));
          signalled |= untried.why() == StopReason.SIGNAL;
        }
        case Outcome.Settled _ -> settled++;
        case Outcome.Dropped(_, var reason) -> conflicts.add(new Note(id.toString(), reason));
      }
    }

    private Change change(Action action) {
      var by =
          action instanceof Action.Update update ? List.copyOf(update.by()) : List.<String>of();
      var policyDiff = run.changes().getOrDefault(action.id(), PolicyDiff.NONE);
      return new Change(action.id(), action.cause(), by, policyDiff);
    }

    private static String text(Plan.ManagerConflict managerConflict) {
      var who =
          managerConflict.by().isEmpty()
              ? "somebody who leaves no trace in its managed fields"
              : String.join(", ", managerConflict.by());
      return "put right "
          + managerConflict.times()
          + " times in a row, since "
          + who
          + " changes it each time; let only one of the two manage it";
    }

    private List<Change> list(Action action) {
      return switch (action) {
        case Action.Create _ -> applied;
        case Action.Update _ -> updated;
        case Action.Remove _ -> removed;
      };
    }

    private RunStatus ending(List<Note> withheld) {
      if (signalled || interrupted) {
        return RunStatus.STOPPED;
      }
      if (!failed.isEmpty() || !notAttempted.isEmpty()) {
        return RunStatus.FAILED;
      }
      return withheld.isEmpty() && conflicts.isEmpty() ? RunStatus.DONE : RunStatus.WITHHELD;
    }

    private static Problem problem(String label, Optional<String> name, Failure failure) {
      return new Problem(Optional.of(label), name, failure.reason(), failure.retryable());
    }
  }
}
