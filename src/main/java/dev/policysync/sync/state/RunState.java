package dev.policysync.sync.state;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What one run leaves for the next. Of a cluster that is in sync only that is remembered.
///
/// @param removals what was removed and withheld lately, by which the budget is measured (promise
///   4)
/// @param begun policies of which the remote API does not know yet that they are well: a run began
///   to write them and was killed before it told, or the last that it told was a failure (promise
///   12)
/// @param unsent statuses that the remote API did not take, oldest first, no two of one name
/// @param driftHistory what had to be put right lately because somebody else changed it
/// @param agreement on what feed and cluster agreed when the last run that wrote had ended, if they
///   did
/// @param failures what has failed run after run, each time in a way that may pass
/// @param feeds which of the remote API's feeds were written lately (promise 3)
public record RunState(
    RemovalHistory removals,
    SortedSet<PolicyId> begun,
    List<PolicyStatus> unsent,
    DriftHistory driftHistory,
    Optional<Agreement> agreement,
    FailureHistory failures,
    FeedHistory feeds) {
  /// Nothing.
  public static final RunState NONE =
      new RunState(
          RemovalHistory.NONE,
          Collections.emptySortedSet(),
          List.of(),
          DriftHistory.NONE,
          Optional.empty(),
          FailureHistory.NONE,
          FeedHistory.NONE);

  public RunState {
    begun = Collections.unmodifiableSortedSet(new TreeSet<>(begun));
    unsent = List.copyOf(unsent);
  }

  /// The same with these removals.
  public RunState withRemovals(RemovalHistory history) {
    return new RunState(history, begun, unsent, driftHistory, agreement, failures, feeds);
  }

  /// The same with these feeds.
  public RunState withFeeds(FeedHistory history) {
    return new RunState(removals, begun, unsent, driftHistory, agreement, failures, history);
  }

  /// The same when writes of these policies are about to begin.
  public RunState beginning(Collection<PolicyId> policies) {
    var all = new TreeSet<>(begun);
    all.addAll(policies);
    return new RunState(removals, all, unsent, driftHistory, agreement, failures, feeds);
  }

  /// The same when the API was told of those and did not take these.
  public RunState told(List<PolicyStatus> sent, List<PolicyStatus> notTaken) {
    var names = new HashSet<String>();
    sent.forEach(status -> names.add(status.name()));
    var left = new ArrayList<>(unsent);
    left.removeIf(status -> names.contains(status.name()));
    left.addAll(notTaken);
    return new RunState(removals, begun, left, driftHistory, agreement, failures, feeds);
  }

  /// The same once a run has told all that it knows: of what it knew to be begun, only what is
  /// still open is left. What another run began meanwhile stays.
  public RunState ended(Collection<PolicyId> known, Collection<PolicyId> open) {
    var left = new TreeSet<>(begun);
    left.removeAll(known);
    left.addAll(open);
    return new RunState(removals, left, unsent, driftHistory, agreement, failures, feeds);
  }

  /// The same with what feed and cluster agree on now, if they do.
  public RunState withAgreement(Optional<Agreement> now) {
    return new RunState(removals, begun, unsent, driftHistory, now, failures, feeds);
  }

  /// Whether feed and cluster agree on the same as then, and nothing else is left to do.
  public boolean stillIn(Optional<InSyncFingerprint> now) {
    return agreement.isPresent()
        && agreement.map(Agreement::fingerprint).equals(now)
        && !removals.pending()
        && removals.unreadable().isEmpty()
        && feeds.older().isEmpty()
        && begun.isEmpty()
        && unsent.isEmpty();
  }

  /// The same with these repairs.
  public RunState withRepairs(DriftHistory done) {
    return new RunState(removals, begun, unsent, done, agreement, failures, feeds);
  }

  /// The same with these failures.
  public RunState withFailures(FailureHistory now) {
    return new RunState(removals, begun, unsent, driftHistory, agreement, now, feeds);
  }
}
