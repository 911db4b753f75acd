package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.TimeBudget;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// A connection to one API server.
///
/// @param server the API server's base URL
/// @param http a client that trusts the server's certificate and authenticates every request
/// @param origin where requests come from, which may determine the agent's namespace
/// @param userAgent our name in the server's audit log: `policy-sync/0.1.0 (run 3f9a1c2e)`
/// @param timeBudget how long to wait for the server
/// @param credentials waits for credentials, before the time of a request begins
/// @param end closes open connections
public record ClusterConnection(
    HttpUrl server,
    OkHttpClient http,
    Origin origin,
    String userAgent,
    TimeBudget timeBudget,
    CredentialSource credentials,
    Runnable end)
    implements AutoCloseable {

  public sealed interface Origin {
    record Pod(String namespace) implements Origin {}

    /// A kubeconfig, on a laptop or in a CI pipeline.
    ///
    /// @param context the name of the kubeconfig's context: `kind-prod`
    /// @param namespace the namespace of that context, which its user chose for kubectl
    record Kubeconfig(String context, Optional<String> namespace) implements Origin {}
  }

  /// Creates a Pod's connection without a time limit, outside a run.
  public ClusterConnection(HttpUrl server, OkHttpClient http, String namespace, Runnable end) {
    this(server, http, new Origin.Pod(namespace), end);
  }

  /// Creates a connection without a time limit, with credentials that are available at once.
  public ClusterConnection(HttpUrl server, OkHttpClient http, Origin origin, Runnable end) {
    this(server, http, origin, CredentialSource.IMMEDIATE, end);
  }

  /// Creates a connection without a time limit, outside a run.
  ClusterConnection(
      HttpUrl server,
      OkHttpClient http,
      Origin origin,
      CredentialSource credentials,
      Runnable end) {
    this(
        server,
        http,
        origin,
        "policy-sync",
        new Cancellation(Duration.ofDays(1), System::nanoTime),
        credentials,
        end);
  }

  public ClusterConnection withTimeBudget(TimeBudget other) {
    return new ClusterConnection(server, http, origin, userAgent, other, credentials, end);
  }

  public ClusterConnection withUserAgent(String other) {
    return new ClusterConnection(server, http, origin, other, timeBudget, credentials, end);
  }

  public ClusterConnection tracing(Optional<String> traceparent) {
    return traceparent
        .map(trace ->
            http.newBuilder()
                .addInterceptor(chain ->
                    chain.proceed(
                        chain.request().newBuilder().header("traceparent", trace).build()))
                .build())
        .map(traced ->
            new ClusterConnection(server, traced, origin, userAgent, timeBudget, credentials, end))
        .orElse(this);
  }

  /// Cancels all reads in flight. Writes in flight continue, because their outcome matters.
  ///
  /// @return a task that cancels those writes too, but no call that begins later
  public Runnable cancelReads() {
    var underWay = http.dispatcher().runningCalls();
    underWay.stream().filter(call -> call.request().method().equals("GET")).forEach(Call::cancel);
    return () -> underWay.forEach(Call::cancel);
  }

  /// Returns the cluster for people: `kind-prod at https://127.0.0.1:6443`.
  public String text() {
    var url = server.newBuilder().username("").password("").build().toString();
    var address = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    return switch (origin) {
      case Origin.Pod _ -> "the cluster of this pod at " + address;
      case Origin.Kubeconfig(var context, _) -> context + " at " + address;
    };
  }

  @Override
  public void close() {
    end.run();
  }
}
