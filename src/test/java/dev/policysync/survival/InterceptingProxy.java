package dev.policysync.survival;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.policysync.harness.LoopbackHttps;
import dev.policysync.harness.TestAuthority;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;

/// Stands between an agent and a server. Each request is shown to somebody before it gets through,
/// who may do something at that very moment, and may turn it away: then its connection ends without
/// an answer.
final class InterceptingProxy implements AutoCloseable {
  private static final Set<String> OF_ONE_CONNECTION =
      Set.of("connection", "content-length", "date", "host", "transfer-encoding");

  static {
    // Or every answer on a connection that is kept waits 40 ms for the one before to be confirmed.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final HttpUrl target;
  private final OkHttpClient http;
  private final Connections connections;
  private final Gatekeeper gatekeeper;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /// What is to happen before a request gets through.
  interface Gatekeeper {
    /// Whether it may; asked by several threads at once.
    boolean lets(Passage passage) throws IOException;
  }

  /// A request on its way.
  ///
  /// @param method `PATCH`
  /// @param path without its query: `/apis/kyverno.io/v1/clusterpolicies/team-label`
  record Passage(String method, String path) {
    boolean write() {
      return !method.equals("GET");
    }

    /// Whether it is to change a policy of the kind that these tests use.
    boolean ofAPolicy() {
      return write() && path.matches("/apis/(policies\\.)?kyverno\\.io/.*");
    }
  }

  private InterceptingProxy(
      HttpServer server, HttpUrl target, Connections to, Gatekeeper gatekeeper) {
    this.server = server;
    this.target = target;
    this.connections = to;
    this.http = to.client().newBuilder().retryOnConnectionFailure(false).build();
    this.gatekeeper = gatekeeper;
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  /// One before the API server, with a certificate of [TestAuthority].
  static InterceptingProxy before(TestCluster cluster, Gatekeeper gatekeeper) throws IOException {
    var trust = Trust.only(cluster.certificateAuthority());
    return new InterceptingProxy(
        LoopbackHttps.create(TestAuthority.shared()),
        cluster.url(),
        Connections.tls(trust, ProxyRules.none()),
        gatekeeper);
  }

  /// One before a server without TLS.
  static InterceptingProxy before(String url, Gatekeeper gatekeeper) throws IOException {
    return new InterceptingProxy(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
        HttpUrl.get(url),
        Connections.plain(ProxyRules.none()),
        gatekeeper);
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      var uri = exchange.getRequestURI();
      var body = exchange.getRequestBody().readAllBytes();
      if (!gatekeeper.lets(new Passage(exchange.getRequestMethod(), uri.getRawPath()))) {
        return;
      }
      var url = target.resolve(uri.toString());
      if (url == null) {
        throw new IOException("not a path: " + uri);
      }
      var type = exchange.getRequestHeaders().getFirst("Content-Type");
      var content =
          body.length == 0
              ? null
              : RequestBody.create(body, type == null ? null : MediaType.get(type));
      var request = new Request.Builder().url(url).method(exchange.getRequestMethod(), content);
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> {
            if (!OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
              values.forEach(value -> request.addHeader(name, value));
            }
          });
      try (var response = http.newCall(request.build()).execute()) {
        var answer = response.body().bytes();
        response
            .headers()
            .forEach(header -> {
              if (!OF_ONE_CONNECTION.contains(header.getFirst().toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().add(header.getFirst(), header.getSecond());
              }
            });
        exchange.sendResponseHeaders(response.code(), answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    connections.close();
  }
}
