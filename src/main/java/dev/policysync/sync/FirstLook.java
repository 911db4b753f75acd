package dev.policysync.sync;

import dev.policysync.base.Parallel;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a run reads before it plans. In nearly every run, nothing has changed. While an [Agreement]
/// is less than an hour old, the run does not read the served kinds again, nor a feed that the
/// source reports as unchanged.
///
/// @param digest the digest of the feed
/// @param feed the feed; empty if it is the feed of the agreement
/// @param complete whether the run read everything anew, without relying on an agreement
record FirstLook(
    Digest digest,
    Optional<Feed> feed,
    ActualPolicies actualPolicies,
    RunStateStore.Stored stored,
    boolean complete) {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLook.class);

  /// How long to wait for the run state. After that, the run reads everything anew.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// Reads everything anew.
  ///
  /// @param kyverno checks whether Kyverno runs
  /// @param remarks receives the reason if the run state cannot be read
  /// @throws dev.policysync.policy.feed.FeedProblem if the feed cannot be trusted
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the cluster cannot be read
  static FirstLook whole(SyncPorts ports, Runnable kyverno, List<String> remarks) {
    return of(ports, kyverno, remarks, _ -> false);
  }

  /// Reads what may have changed since the recorded agreement of feed and cluster.
  ///
  /// @param kyverno checks whether Kyverno runs
  /// @param remarks receives the reason if the run state cannot be read
  /// @throws dev.policysync.policy.feed.FeedProblem if the feed cannot be trusted
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the cluster cannot be read
  static FirstLook since(SyncPorts ports, Runnable kyverno, List<String> remarks, Instant now) {
    return of(ports, kyverno, remarks, agreement -> agreement.fresh(now));
  }

  private static FirstLook of(
      SyncPorts ports, Runnable kyverno, List<String> remarks, Predicate<Agreement> trusts) {
    return Parallel.with(
        3,
        threads -> {
          var recalled = threads.submit(() -> recallIfPossible(ports.runState(), remarks));
          var _ = threads.submit(kyverno);
          var listed =
              threads.submit(() ->
                  trusted(recalled, trusts)
                      .map(agreement -> ports.store().listServed(agreement.served()))
                      .orElseGet(ports.store()::list));
          var feed =
              ports
                  .source()
                  .feedUnless(() ->
                      trusted(recalled, trusts)
                          .map(on -> new Feed.Known(on.fingerprint().feed(), on.feedVersion())));
          var stored = Parallel.result(recalled, RunInputs.READING);
          return new FirstLook(
              feed.map(Feed::digest).orElseGet(() -> agreed(stored)),
              feed,
              Parallel.result(listed, RunInputs.READING),
              stored,
              trusted(recalled, trusts).isEmpty());
        });
  }

  private static Optional<Agreement> trusted(
      Future<RunStateStore.Stored> recalled, Predicate<Agreement> trusts) {
    return Parallel.resultWithin(PATIENCE, recalled)
        .flatMap(stored -> stored.state().agreement())
        .filter(trusts);
  }

  /// Reads the run state; a failure adds a remark and does no harm, because a run that goes on to
  /// write reads the state again.
  private static RunStateStore.Stored recallIfPossible(
      RunStateStore runState, List<String> remarks) {
    try {
      return recall(runState);
    } catch (ClusterUnavailable e) {
      remarks.add("the state of earlier runs could not be read: " + e.failure().reason());
      return RunStateStore.Stored.NOTHING;
    }
  }

  /// Reads the run state, with one retry. Without the recorded feeds, this feed would count as
  /// older than an applied one, and a connection that breaks fails only one request.
  private static RunStateStore.Stored recall(RunStateStore runState) {
    try {
      return runState.load();
    } catch (ClusterUnavailable e) {
      LOG.atDebug().addKeyValue("reason", e.failure().reason()).log("State is read once more");
      return runState.load();
    }
  }

  private static Digest agreed(RunStateStore.Stored stored) {
    return stored.state().agreement().orElseThrow().fingerprint().feed();
  }

  /// Returns the run's inputs, reading the feed and the kinds if this look relied on an agreement.
  RunInputs inputs(Supplier<Feed> read, Supplier<ActualPolicies> list) {
    return new RunInputs(feed.orElseGet(read), complete ? actualPolicies : list.get(), stored);
  }
}
