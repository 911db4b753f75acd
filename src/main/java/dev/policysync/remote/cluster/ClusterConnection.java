package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.TimeBudget;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// How to reach one API server.
///
/// @param server its base URL
/// @param http a client that trusts its certificate and authenticates every request by itself
/// @param origin where requests come from, as far as that tells the agent's namespace
/// @param userAgent how its audit log tells us from others: `policy-sync/0.1.0 (run 3f9a1c2e)`
/// @param timeBudget how long to wait for it
/// @param credentials to be waited for before a request's own time begins
/// @param end closes what is open
public record ClusterConnection(
    HttpUrl server,
    OkHttpClient http,
    Origin origin,
    String userAgent,
    TimeBudget timeBudget,
    CredentialSource credentials,
    Runnable end)
    implements AutoCloseable {

  /// Where requests come from.
  public sealed interface Origin {
    /// A Pod of the agent, in the agent's namespace.
    record Pod(String namespace) implements Origin {}

    /// A kubeconfig, on a laptop or in a pipeline.
    ///
    /// @param namespace of its context, which is its user's choice for kubectl
    record Kubeconfig(Optional<String> namespace) implements Origin {}
  }

  /// A Pod's connection that nobody is in a hurry with, and that belongs to no run.
  public ClusterConnection(HttpUrl server, OkHttpClient http, String namespace, Runnable end) {
    this(server, http, new Origin.Pod(namespace), end);
  }

  /// A connection that nobody is in a hurry with, whose credentials are known from the start.
  public ClusterConnection(HttpUrl server, OkHttpClient http, Origin origin, Runnable end) {
    this(server, http, origin, CredentialSource.IMMEDIATE, end);
  }

  /// A connection that nobody is in a hurry with, and that belongs to no run.
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

  /// The same with that patience.
  public ClusterConnection with(TimeBudget other) {
    return new ClusterConnection(server, http, origin, userAgent, other, credentials, end);
  }

  /// The same under that name.
  public ClusterConnection as(String other) {
    return new ClusterConnection(server, http, origin, other, timeBudget, credentials, end);
  }

  /// The same; every request will carry that header `traceparent`, if there is one.
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

  /// Breaks off what is being read. What is being written goes on: how it ended is worth knowing.
  ///
  /// @return breaks off that too, but nothing that begins after this
  public Runnable cancelReads() {
    var underWay = http.dispatcher().runningCalls();
    underWay.stream().filter(call -> call.request().method().equals("GET")).forEach(Call::cancel);
    return () -> underWay.forEach(Call::cancel);
  }

  @Override
  public void close() {
    end.run();
  }
}
