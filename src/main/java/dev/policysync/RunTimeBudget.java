package dev.policysync;

import dev.policysync.cluster.connection.ClusterConnection;
import dev.policysync.cluster.lease.LeaseLock;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.time.Duration;
import java.util.Optional;

/// Waiting for the cluster ends when the run is told to.
record RunTimeBudget(Cancellation stop) implements LeaseLock.Ticker, ClusterConnection.TimeBudget {
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
    return stop.reason().map(StopReason::toString);
  }
}
