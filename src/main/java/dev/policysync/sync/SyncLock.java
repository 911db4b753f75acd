package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.time.Duration;
import java.util.Optional;

/// Keeps two runs from writing at the same time (promise 9).
public interface SyncLock {
  /// Tries to acquire the lock, waiting at most this long for the current holder.
  Attempt acquire(Duration wait);

  sealed interface Attempt {
    /// The run holds the lock until it is closed or lost.
    record Taken(Held lock) implements Attempt {}

    /// Another run holds the lock.
    ///
    /// @param objection why the holder cannot be a running agent, and what to do; empty if it can
    ///   be
    record HeldBy(String holder, Optional<String> objection) implements Attempt {
      /// Creates the result for a holder that can be a running agent.
      public HeldBy(String holder) {
        this(holder, Optional.empty());
      }
    }

    record Unavailable(Failure failure) implements Attempt {}
  }

  interface Held extends AutoCloseable {
    /// Returns whether this run certainly still holds the lock, by its own clock alone. Called
    /// before every write.
    boolean stillOurs();

    /// Releases the lock. A failure throws no exception, because the lock expires by itself.
    @Override
    void close();
  }
}
