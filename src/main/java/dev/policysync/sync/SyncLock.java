package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.time.Duration;
import java.util.Optional;

/// Keeps two runs from writing at the same time (promise 9).
public interface SyncLock {
  /// Tries to get it, waiting at most that long for whoever has it.
  Attempt acquire(Duration wait);

  /// What came of an attempt.
  sealed interface Attempt {
    /// It is ours until it is closed or lost.
    record Taken(Held lock) implements Attempt {}

    /// Another run has it.
    ///
    /// @param objection why this cannot be a run at work, and what to do; empty where it can
    record HeldBy(String holder, Optional<String> objection) implements Attempt {
      /// A run that can be at work.
      public HeldBy(String holder) {
        this(holder, Optional.empty());
      }
    }

    /// It could not be tried.
    record Unavailable(Failure failure) implements Attempt {}
  }

  /// The lock while we have it.
  interface Held extends AutoCloseable {
    /// Whether it is certainly still ours, by our own clock alone: asked before every write.
    boolean stillOurs();

    /// Gives it back; a failure to do so is not worth an exception, since it expires by itself.
    @Override
    void close();
  }
}
