package dev.policysync.cluster.connection;

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
/// @param namespace where this agent lives, or where the kubeconfig's context points
/// @param userAgent how its audit log tells us from others: `policy-sync/0.1.0 (run 3f9a1c2e)`
/// @param timeBudget how long to wait for it
/// @param end closes what is open
public record ClusterConnection(
    HttpUrl server,
    OkHttpClient http,
    String namespace,
    String userAgent,
    TimeBudget timeBudget,
    Runnable end)
    implements AutoCloseable {

  /// One that nobody is in a hurry with, and that belongs to no run.
  public ClusterConnection(HttpUrl server, OkHttpClient http, String namespace, Runnable end) {
    this(
        server,
        http,
        namespace,
        "policy-sync",
        new Cancellation(Duration.ofDays(1), System::nanoTime),
        end);
  }

  /// The same with that patience.
  public ClusterConnection with(TimeBudget other) {
    return new ClusterConnection(server, http, namespace, userAgent, other, end);
  }

  /// The same under that name.
  public ClusterConnection as(String other) {
    return new ClusterConnection(server, http, namespace, other, timeBudget, end);
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
        .map(traced -> new ClusterConnection(server, traced, namespace, userAgent, timeBudget, end))
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
