package dev.policysync.sync.execution;

import java.time.Duration;

/// A monotonic clock to wait by.
public interface Ticker {
  /// As `System.nanoTime`.
  long nanoTime();

  /// Waits that long, or less.
  ///
  /// @return whether the time passed; false if it was cut short
  boolean pause(Duration time) throws InterruptedException;
}
