package dev.policysync.cluster.state;

import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.RunState;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/// What of a [RunState] is forgotten where the Lease cannot hold all of it: of the statuses first
/// the failures, which come again with the next try, then the oldest ones; then for how long
/// policies have failed, for which removals wait longer; then which removals a run begins, of which
/// all count if it is killed, also those that it did not get to; then which writes it begins.
final class RunStateTruncation {
  private RunStateTruncation() {}

  /// The same without what is the first of this to go.
  static RunState shorter(RunState runState) {
    var unsent = runState.unsent();
    if (!unsent.isEmpty()) {
      var successes = unsent.stream().filter(PolicyStatus::success).toList();
      return with(
          runState,
          runState.begun(),
          successes.size() < unsent.size()
              ? successes
              : unsent.subList((unsent.size() + 1) / 2, unsent.size()));
    }
    if (!runState.failures().equals(FailureHistory.NONE)) {
      return runState.withFailures(FailureHistory.NONE);
    }
    return runState.removals().begun().isEmpty()
        ? with(runState, Collections.emptySortedSet(), unsent)
        : runState.withRemovals(runState.removals().beginning(List.of()));
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
