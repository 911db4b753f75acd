package dev.policysync.remote.insights;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Repeats an attempt while that may help and there is time.
///
/// How long to wait and when to give up is resilience4j's, which is not loaded before something has
/// failed. The waiting is ours, because its own `Thread.sleep` could not be cut short by SIGTERM.
final class Retries {
  private static final Logger log = LoggerFactory.getLogger(Retries.class);

  private final RetryRules rules;
  private final RetryClock clock;

  Retries(RetryRules rules, RetryClock clock) {
    this.rules = rules;
    this.clock = clock;
  }

  /// Something that may work the next time.
  interface Attempt<T> {
    T run(Deadline deadline) throws FailedAttempt;
  }

  /// The result of the first attempt that succeeds, or the failure of the last one.
  <T> T run(Deadline deadline, Attempt<T> attempt) throws FailedAttempt {
    Retry.@Nullable AsyncContext<?> schedule = null;
    for (var number = 1; ; number++) {
      try {
        return attempt.run(deadline);
      } catch (FailedAttempt failure) {
        if (schedule == null) {
          schedule = schedule();
        }
        var wait = schedule.onError(failure);
        if (wait < 0) {
          throw counted(failure, number);
        }
        pauseOrGiveUp(deadline, failure, number, Duration.ofMillis(wait));
      }
    }
  }

  private Retry.AsyncContext<?> schedule() {
    var growing =
        IntervalFunction.ofExponentialRandomBackoff(
            rules.firstWait(), rules.growth(), rules.jitter());
    var config =
        RetryConfig.custom()
            .maxAttempts(rules.attempts())
            .retryOnException(
                e -> e instanceof FailedAttempt f && f.retryDecision() == RetryDecision.SOON)
            .intervalFunction(growing)
            .build();
    return Retry.of("insights", config).asyncContext();
  }

  private void pauseOrGiveUp(Deadline deadline, FailedAttempt failure, int number, Duration backoff)
      throws FailedAttempt {
    // Never before the server says, and spread after it, for it told a whole fleet the same.
    var asked = failure.retryAfter();
    var wait = asked.isPresent() ? asked.get().plus(backoff) : backoff;
    if (deadline.isWithin(wait)) {
      throw counted(
          asked.isPresent()
              ? failure.with(
                  "; Retry-After is "
                      + asked.get().toSeconds()
                      + " s, longer than this run can"
                      + " wait")
              : failure,
          number);
    }
    log.atDebug()
        .addKeyValue("attempt", number)
        .addKeyValue("reason", failure.getMessage())
        .log("Retrying");
    try {
      if (!clock.pause(wait)) {
        throw counted(failure.with("; stopped while waiting to retry"), number);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw counted(failure.with("; interrupted while waiting to retry"), number);
    }
  }

  private static FailedAttempt counted(FailedAttempt failure, int attempts) {
    return attempts == 1 ? failure : failure.with(" (" + attempts + " attempts)");
  }
}
