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

/// What a run looks at first: in nearly every run it finds that nothing has changed, and to learn
/// that within an hour of an [Agreement] it asks neither which kinds are served nor, of a source
/// that tells versions apart, for the feed.
///
/// @param digest the feed's
/// @param feed none where it turned out to be the one that was agreed on
/// @param complete whether everything was asked for anew
record FirstLook(
    Digest digest,
    Optional<Feed> feed,
    ActualPolicies actualPolicies,
    RunStateStore.Stored stored,
    boolean complete) {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLook.class);

  /// A run state that comes later is not waited for: everything is asked for anew then.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// Looks at everything anew.
  ///
  /// @param kyverno asks whether Kyverno runs
  /// @param remarks gets why nothing is known of earlier runs, where that is so
  /// @throws dev.policysync.policy.feed.FeedProblem if the feed cannot be trusted
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the cluster cannot be read
  static FirstLook whole(SyncPorts ports, Runnable kyverno, List<String> remarks) {
    return of(ports, kyverno, remarks, _ -> false);
  }

  /// Looks at what may have changed since feed and cluster agreed.
  ///
  /// @param kyverno asks whether Kyverno runs
  /// @param remarks gets why nothing is known of earlier runs, where that is so
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

  /// Before anything is written it does no harm not to know: a run that goes on to write asks
  /// again.
  private static RunStateStore.Stored recallIfPossible(
      RunStateStore runState, List<String> remarks) {
    try {
      return recall(runState);
    } catch (ClusterUnavailable e) {
      remarks.add("the state of earlier runs could not be read: " + e.failure().reason());
      return RunStateStore.Stored.NOTHING;
    }
  }

  /// Tried twice: what is not known of earlier feeds makes this one count as older than they are,
  /// and a connection that died takes one request with it.
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

  /// The run's inputs: this look, with the feed and the kinds that it did not read.
  RunInputs inputs(Supplier<Feed> read, Supplier<ActualPolicies> list) {
    return new RunInputs(feed.orElseGet(read), complete ? actualPolicies : list.get(), stored);
  }
}
