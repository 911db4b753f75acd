package dev.policysync.sync;

import dev.policysync.parallel.Parallel;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.state.RunStateStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a run looks at first: in nearly every run it finds that nothing has changed, and to learn
/// that of a source that tells versions apart it need not read the feed, nor keep a large one.
///
/// @param digest the feed's
/// @param feed none where it turned out to be the one that was agreed on
record FirstLook(
    Digest digest,
    Optional<Feed> feed,
    ActualPolicies actualPolicies,
    RunStateStore.Stored stored) {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLook.class);

  /// A memory that comes later does not hold up the feed, of which all is read then.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// Looks at feed, cluster, and what earlier runs noted.
  ///
  /// @param whole whether the feed is wanted in any case
  /// @param remarks gets why nothing is known of earlier runs, where that is so
  /// @throws dev.policysync.policy.FeedProblem if the feed cannot be trusted
  /// @throws ClusterUnavailable if the cluster cannot be read
  static FirstLook of(SyncPorts ports, boolean whole, List<String> remarks) {
    return of(
        ports.source(),
        whole,
        ports.store()::list,
        () -> recallIfPossible(ports.runState(), remarks));
  }

  /// Looks at all three at the same time.
  ///
  /// @param whole whether the feed is wanted in any case
  /// @throws dev.policysync.policy.FeedProblem if the feed cannot be trusted
  /// @throws ClusterUnavailable if the cluster, or what earlier runs noted, cannot be read
  static FirstLook of(
      PolicySource source,
      boolean whole,
      Supplier<ActualPolicies> cluster,
      Supplier<RunStateStore.Stored> memory) {
    try (var threads = Parallel.threads(2)) {
      var listed = threads.submit((Callable<ActualPolicies>) cluster::get);
      var recalled = threads.submit((Callable<RunStateStore.Stored>) memory::get);
      var feed = whole ? Optional.of(source.feed()) : source.feedUnless(() -> known(recalled));
      var stored = Parallel.result(recalled, RunInputs.READING);
      return new FirstLook(
          feed.map(Feed::digest).orElseGet(() -> agreed(stored)),
          feed,
          Parallel.result(listed, RunInputs.READING),
          stored);
    }
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

  private static Optional<Feed.Known> known(Future<RunStateStore.Stored> recalled) {
    return Parallel.resultWithin(PATIENCE, recalled)
        .flatMap(stored -> stored.state().agreement())
        .map(on -> new Feed.Known(on.fingerprint().feed(), on.feedVersion()));
  }

  private static Digest agreed(RunStateStore.Stored stored) {
    return stored.state().agreement().orElseThrow().fingerprint().feed();
  }

  /// The same with the feed itself, which is read now if it was not.
  RunInputs whole(Supplier<Feed> read) {
    return new RunInputs(feed.orElseGet(read), actualPolicies, stored);
  }
}
