package dev.policysync;

import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.LeaseLock;
import dev.policysync.sync.Stop;
import dev.policysync.sync.StopSign;
import java.time.Duration;
import java.util.Optional;

/// Waiting for the cluster ends when the run is told to.
record RunPatience(StopSign stop) implements LeaseLock.Ticker, ClusterConnection.Patience {
  @Override
  public long nanoTime() {
    return stop.nanoTime();
  }

  @Override
  public boolean pause(Duration time) throws InterruptedException {
    return stop.pause(time);
  }

  @Override
  public Duration allowance(Duration beyond) {
    return stop.allowance(beyond);
  }

  @Override
  public Optional<String> over() {
    return stop.reason().map(Stop::toString);
  }
}
