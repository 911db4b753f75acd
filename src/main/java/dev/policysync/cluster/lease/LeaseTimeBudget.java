package dev.policysync.cluster.lease;

import dev.policysync.cluster.connection.ClusterConnection;
import java.time.Duration;
import java.util.Optional;

/// A run's patience with calls about its Lease: each one is short, meets no webhook, and is better
/// made anew than waited for. A renewal whose connection has died unnoticed must leave time for the
/// next.
record LeaseTimeBudget(ClusterConnection.TimeBudget run) implements ClusterConnection.TimeBudget {
  /// From one renewal to the last moment for another it is 48 s. The first try begins after 15 s,
  /// and the next 15 s after its end.
  private static final Duration LIMIT = Duration.ofSeconds(8);

  @Override
  public long nanoTime() {
    return run.nanoTime();
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    return run.pause(time);
  }

  @Override
  public Duration allowance(Duration beyond) {
    var allowed = run.allowance(beyond);
    return allowed.compareTo(LIMIT) < 0 ? allowed : LIMIT;
  }

  @Override
  public Optional<String> over() {
    return run.over();
  }
}
