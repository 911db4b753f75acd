package dev.policysync.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.policysync.harness.LoopbackHttps;
import dev.policysync.harness.TestAuthority;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Request;

/// The remote API over TLS, with as little work for each answer as can be: what is measured shares
/// the machine with it.
final class FeedServer implements AutoCloseable {
  private static final String TOKEN = "bench-token";
  private static final String CLUSTER = "/v0/organizations/acme/clusters/prod-1/";
  private static final String FEED = CLUSTER + "kyverno-policies/with-app-groups-applied/yaml";
  private static final String STATUS = CLUSTER + "policies/apply-status";

  /// Connections after which the stand-in gets no faster.
  private static final int WARM = 50;

  private final TestAuthority authority = TestAuthority.shared();
  private final AtomicInteger feeds = new AtomicInteger();
  private final AtomicInteger statuses = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpsServer server;
  private volatile byte[] feed = {};

  FeedServer() throws IOException {
    server = LoopbackHttps.create(authority);
    server.setExecutor(threads);
    server.createContext(FEED, exchange -> answer(exchange, "GET", feeds, feed));
    server.createContext(STATUS, exchange -> answer(exchange, "PUT", statuses, new byte[0]));
    server.start();
  }

  /// Answers connections until its code is compiled, so that the first run that is measured waits
  /// no longer for it than the last.
  void warmUp() throws IOException {
    var request =
        new Request.Builder().url(url() + FEED).header("Authorization", "Bearer " + TOKEN).build();
    for (int i = 0; i < WARM; i++) {
      try (var client = Connections.tls(Trust.only(authority.pem()), ProxyRules.none());
          var answer = client.client().newCall(request).execute()) {
        answer.body().bytes();
      }
    }
  }

  /// What the API expects from now on.
  void expects(String yaml) {
    feed = yaml.getBytes(UTF_8);
  }

  /// How many requests there were since this was last asked.
  ///
  /// @param feeds for the feed
  /// @param statuses of policies
  record Counts(int feeds, int statuses) {
    Counts and(Counts others) {
      return new Counts(feeds + others.feeds, statuses + others.statuses);
    }
  }

  Counts counts() {
    return new Counts(feeds.getAndSet(0), statuses.getAndSet(0));
  }

  /// Whose certificates it has.
  TestAuthority authority() {
    return authority;
  }

  /// The settings of an agent that belongs to this API, but for whom it trusts.
  Map<String, String> environment() {
    return Map.ofEntries(
        entry("FAIRWINDS_INSIGHTS_HOST", url()),
        entry("FAIRWINDS_ORG", "acme"),
        entry("FAIRWINDS_CLUSTER", "prod-1"),
        entry("FAIRWINDS_TOKEN", TOKEN));
  }

  private String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, String method, AtomicInteger count, byte[] body)
      throws IOException {
    try (exchange) {
      count.incrementAndGet();
      exchange.getRequestBody().readAllBytes();
      var authorized =
          ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (!authorized || !exchange.getRequestMethod().equals(method)) {
        exchange.sendResponseHeaders(authorized ? 405 : 401, -1);
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", "text/yaml");
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
