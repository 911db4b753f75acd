package dev.policysync.sync.execution;

import java.time.Duration;

/// A monotonic clock that can wait.
public interface Ticker {
  /// Returns the time like `System.nanoTime`.
  long nanoTime();

  /// Waits for this time, or less.
  ///
  /// @return whether the time passed; false if the wait was cut short
  boolean pause(Duration time) throws InterruptedException;
}
