package dev.policysync.sync;

import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.sync.execution.FailureHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What one run leaves for the next. Of a cluster that is in sync only that is remembered.
///
/// @param removals what was removed and withheld lately, by which the budget is measured (promise
///   4)
/// @param backlogs what the remote API has yet to be told, one for each source that has anything,
///   the one that changed last at the end (promise 12)
/// @param driftHistory what had to be put right lately because somebody else changed it
/// @param agreement on what feed and cluster agreed when the last run that wrote had ended, if they
///   did
/// @param failures what has failed run after run, each time in a way that may pass
/// @param feeds which of the remote API's feeds were written lately (promise 3)
/// @param knownGenerations the generations at which policies were found to be in sync (promise 8)
public record RunState(
    RemovalHistory removals,
    List<StatusBacklog> backlogs,
    DriftHistory driftHistory,
    Optional<Agreement> agreement,
    FailureHistory failures,
    FeedHistory feeds,
    KnownGenerations knownGenerations) {
  /// Nothing.
  public static final RunState NONE =
      new RunState(
          RemovalHistory.NONE,
          List.of(),
          DriftHistory.NONE,
          Optional.empty(),
          FailureHistory.NONE,
          FeedHistory.NONE,
          KnownGenerations.NONE);

  /// Whoever corrects the name of an organization or a cluster finds what was left under the right
  /// one; more names than that are no correction.
  private static final int MOST_SOURCES = 3;

  public RunState {
    backlogs = List.copyOf(backlogs);
  }

  /// What the API has yet to be told about the policies of that source.
  public StatusBacklog backlog(SourceName source) {
    return backlogs.stream()
        .filter(backlog -> backlog.source().equals(source))
        .findFirst()
        .orElseGet(() -> StatusBacklog.none(source));
  }

  /// The same with that backlog instead of the one that its source had.
  public RunState withBacklog(StatusBacklog now) {
    if (backlog(now.source()).equals(now)) {
      return this;
    }
    var all = new ArrayList<>(backlogs);
    all.removeIf(backlog -> backlog.source().equals(now.source()));
    if (!now.isEmpty()) {
      all.add(now);
    }
    return withBacklogs(all.subList(Math.max(0, all.size() - MOST_SOURCES), all.size()));
  }

  /// The same with these backlogs.
  public RunState withBacklogs(List<StatusBacklog> now) {
    return new RunState(removals, now, driftHistory, agreement, failures, feeds, knownGenerations);
  }

  /// The same with these removals.
  public RunState withRemovals(RemovalHistory history) {
    return new RunState(
        history, backlogs, driftHistory, agreement, failures, feeds, knownGenerations);
  }

  /// The same with these feeds.
  public RunState withFeeds(FeedHistory history) {
    return new RunState(
        removals, backlogs, driftHistory, agreement, failures, history, knownGenerations);
  }

  /// The same with what feed and cluster agree on now, if they do.
  public RunState withAgreement(Optional<Agreement> now) {
    return new RunState(removals, backlogs, driftHistory, now, failures, feeds, knownGenerations);
  }

  /// Whether feed and cluster agree on the same as then, and nothing else is left to do.
  ///
  /// @param source of the agent that asks
  public boolean stillIn(Optional<InSyncFingerprint> now, SourceName source) {
    return agreement.isPresent()
        && agreement.map(Agreement::fingerprint).equals(now)
        && !removals.pending()
        && removals.unreadable().isEmpty()
        && feeds.older().isEmpty()
        && backlog(source).isEmpty();
  }

  /// The same with these repairs.
  public RunState withRepairs(DriftHistory done) {
    return new RunState(removals, backlogs, done, agreement, failures, feeds, knownGenerations);
  }

  /// The same with these failures.
  public RunState withFailures(FailureHistory now) {
    return new RunState(removals, backlogs, driftHistory, agreement, now, feeds, knownGenerations);
  }

  /// The same with these generations.
  public RunState withKnownGenerations(KnownGenerations now) {
    return new RunState(removals, backlogs, driftHistory, agreement, failures, feeds, now);
  }
}
