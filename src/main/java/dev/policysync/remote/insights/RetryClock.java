package dev.policysync.remote.insights;

import dev.policysync.remote.http.Connections;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// The clocks and waits that retries need.
interface RetryClock {
  /// Returns monotonic time in nanoseconds, from an arbitrary origin.
  long nanos();

  /// Returns the time of day, for a `Retry-After` header that is a date.
  Instant now();

  /// @return `false` if the wait was cancelled
  boolean pause(Duration time) throws InterruptedException;

  Duration left();

  /// Returns the system's clock. Cancelling the connections ends its waits.
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
