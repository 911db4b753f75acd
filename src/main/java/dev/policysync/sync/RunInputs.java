package dev.policysync.sync;

import dev.policysync.base.Parallel;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.policy.feed.Feed;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Everything that a run reads before it plans.
record RunInputs(Feed feed, ActualPolicies actualPolicies, RunStateStore.Stored stored) {
  static final String READING = "reading the cluster";

  /// Reads all three at the same time.
  ///
  /// @throws dev.policysync.policy.feed.FeedProblem if the feed cannot be trusted
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if the cluster or the run state
  ///   cannot be read
  static RunInputs of(
      Supplier<Feed> feed,
      Supplier<ActualPolicies> cluster,
      Supplier<RunStateStore.Stored> memory) {
    return Parallel.with(
        2,
        threads -> {
          var listed = threads.submit((Callable<ActualPolicies>) cluster::get);
          var recalled = threads.submit((Callable<RunStateStore.Stored>) memory::get);
          return new RunInputs(
              feed.get(), Parallel.result(listed, READING), Parallel.result(recalled, READING));
        });
  }
}
