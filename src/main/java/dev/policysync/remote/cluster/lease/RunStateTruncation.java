package dev.policysync.remote.cluster.lease;

import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.RunState;
import dev.policysync.sync.StatusBacklog;
import dev.policysync.sync.execution.FailureHistory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Shortens a [RunState] that does not fit on the Lease. It drops the first of these parts that the
/// state contains:
///
/// - the errors of the last run, which are in its summary, too;
/// - statuses of failures, because the next attempt produces them again;
/// - the older half of the other statuses;
/// - how long policies have failed; removals then wait longer;
/// - half of the conflicts that were reported to the API; their statuses are sent again;
/// - repairs of drift, and then the in-sync record of feed and cluster; neither has a size limit
///   (names of field managers, an entity tag);
/// - the generations at which policies were in sync; changes without a trace in managed fields are
///   then not detected;
/// - which removals a run begins; if the run is killed, all of them count, including those that it
///   did not start;
/// - which waiting removals a person approved; they need a new approval;
/// - which writes a run begins;
/// - the applied feeds;
/// - when removals were done; all of them count from the time of the last one.
final class RunStateTruncation {
  private static final List<UnaryOperator<RunState>> STEPS =
      List.of(
          runState -> runState.withRecentErrors(RecentErrors.NONE),
          runState -> each(runState, RunStateTruncation::withoutFailedStatuses),
          runState -> each(runState, RunStateTruncation::withoutOlderStatuses),
          runState -> runState.withFailures(FailureHistory.NONE),
          runState -> each(runState, RunStateTruncation::withoutHalfOfTheConflicts),
          runState -> runState.withRepairs(DriftHistory.NONE),
          runState -> runState.withAgreement(Optional.empty()),
          runState -> runState.withKnownGenerations(KnownGenerations.NONE),
          runState ->
              runState.withRemovals(runState.removals().confirm(runState.removals().begun())),
          runState -> runState.withRemovals(runState.removals().approvedOnly(Set.of())),
          runState -> runState.withBacklogs(List.of()),
          runState -> runState.withFeeds(FeedHistory.NONE),
          runState -> runState.withRemovals(runState.removals().inOneSlot()));

  private RunStateTruncation() {}

  /// Returns the run state without the first of these parts that it contains. Empty if nothing can
  /// be dropped; the rest has a limited size.
  static Optional<RunState> shorter(RunState runState) {
    return STEPS.stream()
        .map(step -> step.apply(runState))
        .filter(shorter -> !shorter.equals(runState))
        .findFirst();
  }

  private static RunState each(RunState runState, UnaryOperator<StatusBacklog> change) {
    return runState.withBacklogs(runState.backlogs().stream().map(change).toList());
  }

  private static StatusBacklog withoutFailedStatuses(StatusBacklog backlog) {
    return withUnsent(backlog, backlog.unsent().stream().filter(PolicyStatus::success).toList());
  }

  private static StatusBacklog withoutOlderStatuses(StatusBacklog backlog) {
    var unsent = backlog.unsent();
    return withUnsent(backlog, unsent.subList((unsent.size() + 1) / 2, unsent.size()));
  }

  private static StatusBacklog withUnsent(StatusBacklog backlog, List<PolicyStatus> unsent) {
    return new StatusBacklog(backlog.source(), backlog.begun(), unsent, backlog.conflicts());
  }

  private static StatusBacklog withoutHalfOfTheConflicts(StatusBacklog backlog) {
    var half = new TreeMap<PolicyId, Digest>();
    backlog.conflicts().entrySet().stream()
        .limit(backlog.conflicts().size() / 2)
        .forEach(entry -> half.put(entry.getKey(), entry.getValue()));
    return backlog.withConflicts(half);
  }
}
