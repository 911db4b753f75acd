package dev.policysync.remote.http;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Repeats an attempt while that may help and there is time.
///
/// How often and after how long is resilience4j's, which is not loaded before something has failed.
/// The waiting is the caller's, because resilience4j's own `Thread.sleep` could not be cut short by
/// SIGTERM.
public final class Retries {
  private Retries() {}

  /// Something that may work the next time.
  public interface Attempt<T, E extends Exception> {
    /// @param number how many attempts there are with this one
    T run(int number) throws E;
  }

  /// What to repeat, how often and after how long; a negative interval ends it.
  ///
  /// A class has to implement it: a lambda would load resilience4j when it is made.
  public interface Rules {
    RetryConfig config();
  }

  /// Waits before the next attempt.
  public interface Pause<E extends Exception> {
    /// @param attempts how many have failed
    /// @param wait how long to wait; empty if the rules allow no further attempt
    /// @throws E if there is to be no further attempt
    void afterFailure(E failure, int attempts, Optional<Duration> wait) throws E;
  }

  /// Returns the result of the first attempt that succeeds.
  public static <T, E extends Exception> T run(
      Attempt<T, E> attempt, Class<E> failures, Rules rules, Pause<E> pause) throws E {
    Retry.@Nullable AsyncContext<?> retry = null;
    for (var number = 1; ; number++) {
      try {
        return attempt.run(number);
      } catch (Exception failure) {
        if (!failures.isInstance(failure)) {
          throw failure;
        }
        if (retry == null) {
          retry = Retry.of("http", rules.config()).asyncContext();
        }
        var wait = Optional.of(retry.onError(failure)).filter(millis -> millis >= 0);
        pause.afterFailure(failures.cast(failure), number, wait.map(Duration::ofMillis));
      }
    }
  }
}
