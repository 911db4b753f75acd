package dev.policysync.remote.http;

import java.io.IOException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;

/// Keeps a client from using connections that are dead although nobody closed them: a NAT or a load
/// balancer has dropped the flow, and what is sent goes nowhere.
///
/// A call's time limit alone ends the call, and the next one would go over the same connection. One
/// of HTTP/2 is pinged, and closed with all its calls where it does not answer. HTTP/1.1 has no
/// ping: a call's failure is taken as the sign, and the idle connections, which went the same way,
/// are closed with it.
public final class DeadConnections extends EventListener {
  /// A ping is sent that often, and is to be answered before the next: longer than it takes to
  /// repeat a lost packet a few times. So a dead connection is found after 8 s at the latest: two
  /// renewals of a Lease fit into what is left of it.
  private static final Duration PING = Duration.ofSeconds(4);

  private final ConnectionPool connections;

  private DeadConnections(ConnectionPool connections) {
    this.connections = connections;
  }

  /// Lets that client, whose connections are those, notice them.
  public static OkHttpClient.Builder noticedBy(
      OkHttpClient.Builder client, ConnectionPool connections) {
    return client.pingInterval(PING).eventListener(new DeadConnections(connections));
  }

  @Override
  public void callFailed(Call call, IOException failure) {
    connections.evictAll();
  }
}
