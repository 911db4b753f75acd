package dev.policysync.cluster;

import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// How to reach one API server.
///
/// @param server its base URL
/// @param http a client that trusts its certificate and authenticates every request by itself
/// @param namespace where this agent lives, or where the kubeconfig's context points
/// @param end closes what is open
public record ClusterConnection(HttpUrl server, OkHttpClient http, String namespace, Runnable end)
    implements AutoCloseable {
  @Override
  public void close() {
    end.run();
  }
}
