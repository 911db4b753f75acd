package dev.policysync.remote.insights;

import dev.policysync.remote.http.Connections;
import dev.policysync.sync.execution.TimeBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/// The clock and the remaining time for API calls.
///
/// A run that is told to end gets a few more seconds for the cluster, but not for the API: the next
/// run sends what this one could not. So a signal cancels the connections themselves, and the waits
/// with them.
interface RetryClock extends TimeBudget {
  /// Returns the time of day, for a `Retry-After` header that is a date.
  Instant now();

  @Override
  default Optional<String> over() {
    return Optional.empty();
  }

  /// Returns the system's clock, with waits that [Connections#cancel] ends.
  static RetryClock of(Connections connections, Supplier<Duration> left) {
    return new RetryClock() {
      @Override
      public long nanoTime() {
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
      public Duration allowance(Duration beyond) {
        return left.get();
      }
    };
  }
}
