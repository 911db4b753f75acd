package dev.policysync.remote.insights;

import dev.policysync.base.HeapBudget;
import dev.policysync.policy.feed.FeedLimit;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.remote.http.Connections;
import dev.policysync.sync.StatusSink;

/// The real feed and the real statuses with all their retries, but for the waits between them.
public final class WithoutWaiting {
  private static final FeedLimit LIMIT = new FeedLimit(1 << 20, new HeapBudget(128 << 20));

  private WithoutWaiting() {}

  /// The feed at the other end of that connection.
  ///
  /// @param version of the agent, for `User-Agent`
  public static PolicySource feed(Connections connections, InsightsConnection api, String version) {
    return new InsightsFeed(
        connections, api, version, RetryRules.FEED, new FakeRetryClock(), LIMIT);
  }

  /// Where statuses go.
  ///
  /// @param version of the agent, for `User-Agent`
  public static StatusSink statuses(
      Connections connections, InsightsConnection api, String version) {
    return new InsightsStatuses(connections, api, version, RetryRules.STATUS, new FakeRetryClock());
  }
}
