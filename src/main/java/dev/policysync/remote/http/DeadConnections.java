package dev.policysync.remote.http;

import java.io.IOException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;

/// Keeps a client from using dead connections that nobody closed: a NAT or a load balancer dropped
/// the flow, and packets are lost.
///
/// A time limit ends only the call, and the next call would use the same connection. Therefore an
/// HTTP/2 connection is pinged, and closed with all its calls if no answer comes. HTTP/1.1 has no
/// ping: when a call fails, all idle connections are closed, because they use the same path.
final class DeadConnections extends EventListener {
  /// The interval of pings; each must be answered before the next one. This is longer than a few
  /// retransmissions of a lost packet take. A dead connection is found after 8 s at the latest, and
  /// two renewals of a Lease fit into the rest of the Lease.
  private static final Duration PING = Duration.ofSeconds(4);

  private final ConnectionPool connections;

  private DeadConnections(ConnectionPool connections) {
    this.connections = connections;
  }

  /// Makes a client detect dead connections.
  ///
  /// @param connections the client's own pool
  public static OkHttpClient.Builder installOn(
      OkHttpClient.Builder client, ConnectionPool connections) {
    return client.pingInterval(PING).eventListener(new DeadConnections(connections));
  }

  @Override
  public void callFailed(Call call, IOException failure) {
    connections.evictAll();
  }
}
