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

/// The state that one run records for the next. For a cluster in sync, it contains little more than
/// that fact.
///
/// @param removals the recent and the withheld removals, for the budget (promise 4)
/// @param backlogs the statuses that the remote API has not accepted yet, one backlog per source,
///   the one that changed last at the end (promise 12)
/// @param driftHistory recent repairs of drift
/// @param agreement the record that feed and cluster were in sync after the last run that wrote, if
///   they were
/// @param failures policies with a temporary failure in each of the last runs
/// @param feeds the recently applied feeds of the remote API (promise 3)
/// @param knownGenerations the generations at which policies were found in sync (promise 8)
/// @param recentErrors the policies that the last run could not write, for `status`
public record RunState(
    RemovalHistory removals,
    List<StatusBacklog> backlogs,
    DriftHistory driftHistory,
    Optional<Agreement> agreement,
    FailureHistory failures,
    FeedHistory feeds,
    KnownGenerations knownGenerations,
    RecentErrors recentErrors) {
  public static final RunState NONE =
      new RunState(
          RemovalHistory.NONE,
          List.of(),
          DriftHistory.NONE,
          Optional.empty(),
          FailureHistory.NONE,
          FeedHistory.NONE,
          KnownGenerations.NONE,
          RecentErrors.NONE);

  /// How many backlogs are kept. After the name of an organization or a cluster was corrected, the
  /// backlog of the right name remains; more than two corrections are not expected.
  private static final int MOST_SOURCES = 3;

  public RunState {
    backlogs = List.copyOf(backlogs);
  }

  public StatusBacklog backlog(SourceName source) {
    return backlogs.stream()
        .filter(backlog -> backlog.source().equals(source))
        .findFirst()
        .orElseGet(() -> StatusBacklog.none(source));
  }

  /// Returns the state with this backlog instead of the earlier one of its source.
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

  public RunState withBacklogs(List<StatusBacklog> now) {
    return new RunState(
        removals, now, driftHistory, agreement, failures, feeds, knownGenerations, recentErrors);
  }

  public RunState withRemovals(RemovalHistory history) {
    return new RunState(
        history,
        backlogs,
        driftHistory,
        agreement,
        failures,
        feeds,
        knownGenerations,
        recentErrors);
  }

  public RunState withFeeds(FeedHistory history) {
    return new RunState(
        removals,
        backlogs,
        driftHistory,
        agreement,
        failures,
        history,
        knownGenerations,
        recentErrors);
  }

  public RunState withAgreement(Optional<Agreement> now) {
    return new RunState(
        removals, backlogs, driftHistory, now, failures, feeds, knownGenerations, recentErrors);
  }

  /// Returns whether feed and cluster are in sync as recorded, and nothing else remains to be done.
  ///
  /// @param source the source of the agent
  public boolean stillIn(Optional<InSyncFingerprint> now, SourceName source) {
    return agreement.isPresent()
        && agreement.map(Agreement::fingerprint).equals(now)
        && !removals.pending()
        && removals.unreadable().isEmpty()
        && feeds.older().isEmpty()
        && backlog(source).isEmpty();
  }

  public RunState withRepairs(DriftHistory done) {
    return new RunState(
        removals, backlogs, done, agreement, failures, feeds, knownGenerations, recentErrors);
  }

  public RunState withFailures(FailureHistory now) {
    return new RunState(
        removals, backlogs, driftHistory, agreement, now, feeds, knownGenerations, recentErrors);
  }

  public RunState withKnownGenerations(KnownGenerations now) {
    return new RunState(
        removals, backlogs, driftHistory, agreement, failures, feeds, now, recentErrors);
  }

  public RunState withRecentErrors(RecentErrors now) {
    return new RunState(
        removals, backlogs, driftHistory, agreement, failures, feeds, knownGenerations, now);
  }
}
