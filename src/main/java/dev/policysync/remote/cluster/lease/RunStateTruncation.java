package dev.policysync.remote.cluster.lease;

import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.RunState;
import dev.policysync.sync.StatusBacklog;
import dev.policysync.sync.execution.FailureHistory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// What of a [RunState] is forgotten where the Lease cannot hold all of it, the first of these that
/// is there:
///
/// - statuses of failures, which come again with the next try;
/// - the older half of the other statuses;
/// - for how long policies have failed, for which removals wait longer;
/// - half of the conflicts that the API knows of, which are told again;
/// - repairs of drift, and on what feed and cluster agree, which no limit bounds (names of field
///   managers, an entity tag);
/// - at which generations policies were in sync: changes without a trace are not found then;
/// - which removals a run begins: all of them count then if it is killed, also those that it did
///   not get to;
/// - which removals that wait for a later run a person approved: somebody is asked again;
/// - which writes it begins;
/// - the applied feeds;
/// - when removals were done: all of them count from the last one on.
final class RunStateTruncation {
  private static final List<UnaryOperator<RunState>> STEPS =
      List.of(
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

  /// The run state without the first of this that it has; empty where nothing is left to forget,
  /// and what is left is of a bounded size.
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
