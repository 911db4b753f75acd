package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records the state for the next run, before the first write of a run and after its last one, and
/// reports to the remote API (promises 3, 4, 8 and 12).
///
/// The state is recorded before anything is written, because a run can be killed at any moment.
final class StatusRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(StatusRecorder.class);

  private final RunStateStore runStateStore;
  private final Optional<StatusSink> api;
  private final SourceName source;
  private final Clock clock;
  private final Progress progress;

  /// @param api empty if the policies come from files
  StatusRecorder(
      RunStateStore memory,
      Optional<StatusSink> api,
      SourceName source,
      Clock clock,
      Progress progress) {
    this.runStateStore = memory;
    this.api = api;
    this.source = source;
    this.clock = clock;
    this.progress = progress;
  }

  /// Returns the feed as older if the API served it before a newer feed was applied. A feed from
  /// files is never older: its user knows the age of the files.
  ///
  /// @param first the recorded state when this run first read the feed
  /// @param now the recorded state now
  Optional<FeedHistory.Older> olderFeed(Digest feed, RunState first, RunState now) {
    var at = clock.instant();
    return api.flatMap(
        _ -> now.feeds().readWhen(feed, first.feeds(), at).olderUnlessIntended(source, feed, at));
  }

  /// Records the writes that a run is about to do, and the failures that it is about to report.
  ///
  /// @return the recorded state; empty if a run without the Lease has changed it since this run
  ///   read it, which may change the plan
  /// @throws ClusterUnavailable if the state could not be recorded; nothing may be written then
  Optional<RunState> begin(PlannedRun plannedRun) {
    var plan = plannedRun.plan();
    var known = plannedRun.recorded().state();
    var now = clock.instant();
    var ids =
        Stream.concat(
                plan.actions().stream()
                    .map(Action::id)
                    .filter(id -> !plan.rehearses(id))
                    .map(plan::ofFeed),
                newlyFailing(plan, known.backlog(source)).stream())
            .distinct()
            .toList();
    var overtaken = new AtomicBoolean();
    UnaryOperator<RunState> change =
        there -> {
          requireNoOtherWriter(there, known);
          overtaken.set(
              !there.feeds().equals(known.feeds()) || !there.removals().equals(known.removals()));
          if (overtaken.get()) {
            return there;
          }
          var noted =
              there
                  .withRepairs(there.driftHistory().withoutExpired(now))
                  .withRemovals(
                      deferring(
                          UnapprovedRemovals.in(plan, plannedRun.recorded().removals())
                              .begin(plannedRun.recorded().removals().with(plan.note(), now), now),
                          plannedRun,
                          List.of()));
          return api.isPresent()
              ? noted
                  .withBacklog(there.backlog(source).beginning(ids))
                  .withFeeds(there.feeds().beforeApplying(source, plannedRun.feed(), now))
              : noted;
        };
    var nothing = plan.actions().isEmpty();
    if (!nothing) {
      runStateStore.update(change);
    }
    if (overtaken.get()) {
      return Optional.empty();
    }
    return Optional.of(nothing ? known : change.apply(known));
  }

  /// Throws if another run has recorded writes since then. Only the holder of the Lease writes, so
  /// this run has lost the Lease, or has read an old state.
  private static void requireNoOtherWriter(RunState there, RunState known) {
    if (!there.feeds().written().equals(known.feeds().written())
        || !there.removals().removed().equals(known.removals().removed())
        || !there.removals().begun().equals(known.removals().begun())) {
      throw overtaken();
    }
  }

  /// Returns the failure of a run that writes nothing because other runs keep changing the state.
  static ClusterUnavailable overtaken() {
    return new ClusterUnavailable(
        new Failure(
            Failure.Cause.CONFLICT,
            "record the planned writes on the Lease: another run changed it in the meantime; the"
                + " next run retries"));
  }

  /// Begins to report the run's policies to the API. The begun writes have to be recorded first.
  ///
  /// @param feed the feed that the plan was made from
  StatusReport report(PlannedRun plannedRun, Feed feed) {
    var plan = plannedRun.plan();
    recordFailing(plan, plannedRun.recorded().state().backlog(source));
    return StatusReport.begin(
        api.orElse(StatusSink.NONE),
        plan,
        new PolicyStatusBuilder(
            feed,
            plannedRun.expectedPolicies(),
            plan,
            plannedRun.listed(),
            plannedRun.recorded().state().backlog(source)),
        clock);
  }

  /// Records the policies whose failure or conflict the API is about to learn: if this run is
  /// killed after that, the next one reports those that are in sync again.
  private void recordFailing(Plan plan, StatusBacklog recorded) {
    var news = newlyFailing(plan, recorded);
    if (api.isEmpty() || news.isEmpty()) {
      return;
    }
    try {
      runStateStore.update(state -> state.withBacklog(state.backlog(source).beginning(news)));
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Failures not recorded");
    }
  }

  private static List<PolicyId> newlyFailing(Plan plan, StatusBacklog recorded) {
    return failing(plan).stream()
        .filter(id -> !recorded.begun().contains(id) && !recorded.conflicts().containsKey(id))
        .toList();
  }

  private static List<PolicyId> failing(Plan plan) {
    return Stream.concat(
            plan.rejectedOnTheirOwn().stream().flatMap(policy -> policy.id().stream()),
            plan.problems().conflicts().stream().map(Plan.Conflict::id))
        .map(plan::ofFeed)
        .toList();
  }

  /// Ends the report to the API and records what could not be reported.
  ///
  /// @param report has received every outcome
  /// @param found what to record about the policies that are in sync
  /// @return the problems, for the summary's warnings
  List<String> end(
      PlannedRun plannedRun,
      List<Outcome> outcomes,
      StatusReport report,
      InSyncCheck.NextState found) {
    var plan = plannedRun.plan();
    var noted = plannedRun.recorded().state();
    if (api.isPresent() && report.size() > 0) {
      progress.step("reporting");
    }
    var told = report.end();
    var unsent = told.unsent();
    UnaryOperator<RunState> change =
        there -> {
          var repaired =
              repaired(there, outcomes)
                  .withRemovals(removals(there, plannedRun, outcomes))
                  .withFailures(there.failures().after(plan, outcomes, clock.instant()))
                  .withRecentErrors(there.recentErrors().after(outcomes, clock.instant()))
                  .withAgreement(found.agreement())
                  .withKnownGenerations(found.knownGenerations());
          return api.isPresent()
              ? repaired
                  .withBacklog(
                      there
                          .backlog(source)
                          .afterSending(told.statuses(), unsent)
                          .ended(
                              noted.backlog(source).beginning(failing(plan)).begun(), told.open())
                          .withConflicts(told.conflicts()))
                  .withFeeds(
                      there.feeds().afterComparing(source, plannedRun.feed(), plannedRun.older()))
              : repaired;
        };
    var untold = unsent.size() == 1 ? "1 status" : unsent.size() + " statuses";
    try {
      if (!change.apply(noted).equals(noted)) {
        runStateStore.update(change);
      }
    } catch (ClusterUnavailable e) {
      var lost = unsent.isEmpty() ? "" : ", including " + untold + " not accepted by the API";
      return List.of(
          "the state for the next run could not be recorded" + lost + ": " + e.failure().reason());
    }
    return unsent.isEmpty()
        ? List.of()
        : List.of("the API did not accept " + untold + "; the next run retries");
  }

  /// Removes approvals that have ended, and records when the others were first seen. A failure is
  /// left to the next run.
  ///
  /// @param noted whether the time of each approval is recorded
  void recordApprovals(List<Approval> ended, boolean noted) {
    try {
      ended.forEach(runStateStore::end);
      if (!noted) {
        runStateStore.noteApprovals();
      }
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Approvals not recorded");
    }
  }

  /// Records an agreement that still holds, so that the runs of the next hour rely on it. After a
  /// failure, the next run reads everything anew.
  void recordAgreement(Agreement renewed) {
    var fingerprint = Optional.of(renewed.fingerprint());
    try {
      runStateStore.update(state ->
          state.agreement().map(Agreement::fingerprint).equals(fingerprint)
              ? state.withAgreement(Optional.of(renewed))
              : state);
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("Agreement not recorded");
    }
  }

  private RunState repaired(RunState there, List<Outcome> outcomes) {
    var driftHistory = there.driftHistory();
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Update update, _)
          && update.cause() == Action.Cause.DRIFTED) {
        driftHistory = driftHistory.with(update.id(), update.by(), clock.instant());
      }
    }
    return there.withRepairs(driftHistory);
  }

  /// Returns the removal history after the run. The last pending removal also clears the withheld
  /// ones. A run that withholds an older feed records only that earlier records cannot be read.
  private RemovalHistory removals(RunState there, PlannedRun plannedRun, List<Outcome> outcomes) {
    if (plannedRun.older().isPresent()) {
      return there.removals().at(clock.instant());
    }
    var plan = plannedRun.plan();
    var removals =
        outcomes.stream()
            .filter(
                outcome -> outcome.action() instanceof Action.Remove removal && removal.isOfFeed())
            .toList();
    var allDone =
        plan.withheldRemovals().isEmpty()
            && plan.waitingRemovals().stream().noneMatch(Action.Remove::isOfFeed)
            && !removals.isEmpty()
            && removals.stream().allMatch(Outcome.Done.class::isInstance);
    var note =
        allDone
            ? RemovalHistory.Note.NONE
            : plan.note().afterRemoving(UnapprovedRemovals.taken(plan, removals));
    var history =
        UnapprovedRemovals.in(plan, plannedRun.recorded().removals())
            .end(there.removals().with(note, clock.instant()), removals);
    return deferring(history, plannedRun, outcomes);
  }

  /// Returns the history with the removals that this run leaves to a later run: when they may be
  /// done, and which of them a person approved. Removals count as approved here only if this run
  /// has used up the approval: an approval that is still on the Lease is valid for exactly its
  /// list. If some requested removals are unknown, an earlier approval stays.
  ///
  /// @param outcomes empty if the run is about to begin
  private RemovalHistory deferring(
      RemovalHistory history, PlannedRun plannedRun, List<Outcome> outcomes) {
    var plan = plannedRun.plan();
    var waiting = plan.waitingRemovals();
    var done =
        outcomes.stream()
            .filter(Outcome.Done.class::isInstance)
            .map(Outcome::action)
            .filter(Action.Remove.class::isInstance)
            .map(Action::id)
            .collect(Collectors.toSet());
    var approvalUsed = plan.approvals().removals().given() && !done.isEmpty();
    var approved = new HashSet<String>();
    for (var removal : waiting) {
      if (approvalUsed || history.approved(removal.was().uid())) {
        approved.add(removal.was().uid());
      }
    }
    for (var action : plan.actions()) {
      if (action instanceof Action.Remove removal
          && history.approved(removal.was().uid())
          && !done.contains(removal.id())) {
        approved.add(removal.was().uid());
      }
    }
    if (!plan.withheldRemovals().isEmpty()) {
      history.deferred().ifPresent(deferred -> approved.addAll(deferred.approved()));
    }
    if (waiting.isEmpty() && approved.isEmpty()) {
      return history.deferringNone();
    }
    return plan.actions().isEmpty() || waiting.isEmpty()
        ? history.approvedOnly(approved)
        : history.deferring(approved, clock.instant());
  }
}
