package dev.policysync.remote.cluster.lease;

import dev.policysync.sync.FakeTime;
import dev.policysync.sync.execution.Ticker;
import java.time.Duration;

/// A clock to wait by that only moves by being waited for.
public record FakeTicker(FakeTime time) implements Ticker {
  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  @Override
  public boolean pause(Duration length) {
    return time.pause(length);
  }
}
