package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.policysync.base.HeapBudget;
import dev.policysync.base.Secret;
import dev.policysync.policy.feed.FeedLimit;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;

/// A feed at a URL with a clock that does not sleep.
final class TestApi implements AutoCloseable {
  static final String TOKEN = "t0ken-hunter2";

  static final RetryRules RULES = withoutChance(RetryRules.FEED);

  private final Connections connections = Connections.plain(ProxyRules.none());
  private final FakeRetryClock clock = new FakeRetryClock();
  private final InsightsConnection api;

  private TestApi(String url) {
    this.api = connection(url, "acme", "prod-1");
  }

  static TestApi at(String url) {
    return new TestApi(url);
  }

  /// The real rules, but for their chance.
  static RetryRules withoutChance(RetryRules rules) {
    return new RetryRules(
        rules.attempts(), rules.firstWait(), 0, rules.budget(), rules.perAttempt());
  }

  /// A server for the tests of a class, without memory of the test before.
  static WireMockExtension server() {
    return WireMockExtension.newInstance()
        .options(options().dynamicPort().bindAddress("127.0.0.1"))
        .build();
  }

  static InsightsConnection connection(String url, String organization, String cluster) {
    return InsightsConnection.of(url, organization, cluster, Secret.of(TOKEN));
  }

  InsightsConnection api() {
    return api;
  }

  Connections connections() {
    return connections;
  }

  FakeRetryClock clock() {
    return clock;
  }

  InsightsFeed feed() {
    return feed(RULES, 1024 * 1024);
  }

  InsightsFeed feed(RetryRules rules, long limit) {
    return new InsightsFeed(connections, api, "1.2.3", rules, clock, limit(limit));
  }

  /// So many bytes, as if a heap of 128 MiB had no room for more.
  static FeedLimit limit(long bytes) {
    return new FeedLimit(bytes, new HeapBudget(128 << 20));
  }

  /// What is wrong with the feed.
  FeedProblem problem() {
    return problem(feed());
  }

  static FeedProblem problem(InsightsFeed feed) {
    return catchThrowableOfType(FeedProblem.class, feed::read);
  }

  @Override
  public void close() {
    connections.close();
  }
}
