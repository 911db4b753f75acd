package dev.policysync.cluster.state;

import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.RunState;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/// What of a [RunState] is forgotten where the Lease cannot hold all of it, the first of these that
/// is there:
///
/// - statuses of failures, which come again with the next try;
/// - the older half of the other statuses;
/// - for how long policies have failed, for which removals wait longer;
/// - repairs of drift, and on what feed and cluster agree, which no limit bounds (names of field
///   managers, an entity tag);
/// - which removals a run begins: all of them count then if it is killed, also those that it did
///   not get to;
/// - which writes it begins;
/// - the applied feeds;
/// - when removals were done: all of them count from the last one on.
final class RunStateTruncation {
  private static final List<UnaryOperator<RunState>> STEPS =
      List.of(
          RunStateTruncation::withoutFailedStatuses,
          RunStateTruncation::withoutOlderStatuses,
          runState -> runState.withFailures(FailureHistory.NONE),
          runState -> runState.withRepairs(DriftHistory.NONE),
          runState -> runState.withAgreement(Optional.empty()),
          runState ->
              runState.withRemovals(runState.removals().confirm(runState.removals().begun())),
          runState -> with(runState, Collections.emptySortedSet(), runState.unsent()),
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

  private static RunState withoutFailedStatuses(RunState runState) {
    return with(
        runState,
        runState.begun(),
        runState.unsent().stream().filter(PolicyStatus::success).toList());
  }

  private static RunState withoutOlderStatuses(RunState runState) {
    var unsent = runState.unsent();
    return with(runState, runState.begun(), unsent.subList((unsent.size() + 1) / 2, unsent.size()));
  }

  private static RunState with(
      RunState runState, SortedSet<PolicyId> begun, List<PolicyStatus> unsent) {
    return new RunState(
        runState.removals(),
        begun,
        unsent,
        runState.driftHistory(),
        runState.agreement(),
        runState.failures(),
        runState.feeds());
  }
}
