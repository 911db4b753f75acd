package dev.policysync.cluster;

import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// How to reach one API server.
///
/// @param server its base URL
/// @param http a client that trusts its certificate and authenticates every request by itself
/// @param namespace where this agent lives, or where the kubeconfig's context points
/// @param pause how to wait while the server is busy
/// @param end closes what is open
public record ClusterConnection(
    HttpUrl server, OkHttpClient http, String namespace, Pause pause, Runnable end)
    implements AutoCloseable {

  /// One whose waiting nobody cuts short.
  public ClusterConnection(HttpUrl server, OkHttpClient http, String namespace, Runnable end) {
    this(server, http, namespace, ClusterConnection::sleep, end);
  }

  /// Waits, unless somebody says stop.
  public interface Pause {
    /// Waits that long, or less.
    ///
    /// @return whether the time passed; false if it was cut short
    boolean pause(Duration time) throws InterruptedException;
  }

  /// The same, waiting in that way.
  public ClusterConnection pausingBy(Pause other) {
    return new ClusterConnection(server, http, namespace, other, end);
  }

  private static boolean sleep(Duration time) throws InterruptedException {
    Thread.sleep(time);
    return true;
  }

  @Override
  public void close() {
    end.run();
  }
}
