package dev.policysync.remote.http;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Repeats an attempt while that may help and there is time.
///
/// resilience4j decides how often and after how long. It is loaded only after a failure. The caller
/// waits: resilience4j uses `Thread.sleep`, which SIGTERM could not interrupt.
public final class Retries {
  private Retries() {}

  /// An operation that may be repeated.
  public interface Attempt<T, E extends Exception> {
    /// @param number the number of this attempt, from 1
    T run(int number) throws E;
  }

  /// Which failures are retried, how often and after how long. A negative interval ends the
  /// retries.
  ///
  /// Implement it as a class: creating a lambda would load resilience4j.
  public interface Rules {
    RetryConfig config();
  }

  /// Waits before the next attempt.
  public interface Pause<E extends Exception> {
    /// @param attempts the number of failed attempts
    /// @param wait how long to wait; empty if the rules allow no further attempt
    /// @throws E if there is no further attempt
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
