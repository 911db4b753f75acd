package dev.policysync.remote.insights;

import dev.policysync.remote.http.Connections;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// Time as retries need it.
interface RetryClock {
  /// Monotonic, in nanoseconds from somewhere.
  long nanos();

  /// The wall clock, for a `Retry-After` that is a date.
  Instant now();

  /// Waits.
  ///
  /// @return `false` if the wait was cancelled
  boolean pause(Duration time) throws InterruptedException;

  /// What the run has left.
  Duration left();

  /// The real one; its waits end when the connections are cancelled.
  static RetryClock of(Connections connections, Supplier<Duration> left) {
    return new RetryClock() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public Instant now() {
        return Instant.now();
      }

      @Override
      public boolean pause(Duration time) throws InterruptedException {
        return connections.pause(time);
      }

      @Override
      public Duration left() {
        return left.get();
      }
    };
  }
}
