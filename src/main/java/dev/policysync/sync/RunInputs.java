package dev.policysync.sync;

import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.state.RunStateStore;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Everything that a run looks at before it decides.
record RunInputs(Feed feed, ActualPolicies actualPolicies, RunStateStore.Stored stored) {

  /// Looks at all three at the same time.
  ///
  /// @throws dev.policysync.policy.FeedProblem if the feed cannot be trusted
  /// @throws ClusterUnavailable if the cluster, or what earlier runs noted, cannot be read
  static RunInputs of(
      Supplier<Feed> feed,
      Supplier<ActualPolicies> cluster,
      Supplier<RunStateStore.Stored> memory) {
    // Platform threads: a virtual one blocked in a socket keeps the JVM from ending at once.
    try (var threads = Executors.newFixedThreadPool(2)) {
      var listed = threads.submit((Callable<ActualPolicies>) cluster::get);
      var recalled = threads.submit((Callable<RunStateStore.Stored>) memory::get);
      return new RunInputs(feed.get(), result(listed), result(recalled));
    }
  }

  private static <T> T result(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the cluster", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ClusterUnavailable unavailable
          ? unavailable
          : new IllegalStateException("reading the cluster failed unexpectedly", e.getCause());
    }
  }
}
