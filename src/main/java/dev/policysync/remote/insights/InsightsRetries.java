package dev.policysync.remote.insights;

import dev.policysync.remote.http.Retries;
import dev.policysync.sync.execution.TimeBudget;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Repeats API calls according to [RetryRules].
record InsightsRetries(RetryRules rules, RetryClock clock) implements Retries.Rules {
  private static final Logger log = LoggerFactory.getLogger(InsightsRetries.class);

  /// An API call that may be repeated.
  interface Attempt<T> {
    /// @param timeout the timeout of a call that begins now
    T run(Supplier<Duration> timeout) throws FailedAttempt;
  }

  <T> T run(Attempt<T> attempt) throws FailedAttempt {
    return run(clock.within(rules.budget(), ""), attempt);
  }

  /// Returns the result of the first attempt that succeeds.
  <T> T run(TimeBudget budget, Attempt<T> attempt) throws FailedAttempt {
    var perAttempt = budget.perCall(rules.perAttempt());
    return Retries.run(
        _ -> attempt.run(() -> perAttempt.allowance(Duration.ZERO)),
        FailedAttempt.class,
        this,
        (failure, attempts, wait) -> pauseOrGiveUp(budget, failure, attempts, wait));
  }

  @Override
  public RetryConfig config() {
    var backoff = IntervalFunction.ofExponentialRandomBackoff(rules.firstWait(), 2, rules.jitter());
    return RetryConfig.custom()
        .maxAttempts(rules.attempts())
        .retryOnException(e -> ((FailedAttempt) e).retryDecision() == RetryDecision.SOON)
        // Retry-After was sent to a whole fleet, so the next attempt waits that long and a random
        // time more.
        .intervalBiFunction((attempts, failed) ->
            backoff.apply(attempts)
                + ((FailedAttempt) failed.getLeft())
                    .retryAfter()
                    .map(Duration::toMillis)
                    .orElse(0L))
        .build();
  }

  private void pauseOrGiveUp(
      TimeBudget budget, FailedAttempt failure, int attempts, Optional<Duration> wait)
      throws FailedAttempt {
    if (wait.isEmpty()) {
      throw failure.givenUp("", attempts);
    }
    if (budget.allowance(Duration.ZERO).compareTo(wait.get()) <= 0) {
      var why =
          failure
              .retryAfter()
              .map(asked ->
                  "; Retry-After is " + asked.toSeconds() + " s, longer than this run can wait");
      throw failure.givenUp(why.orElse(""), attempts);
    }
    log.atDebug()
        .addKeyValue("attempt", attempts)
        .addKeyValue("reason", failure.getMessage())
        .log("Retrying");
    try {
      if (!clock.pause(wait.get())) {
        throw failure.givenUp("; stopped while waiting to retry", attempts);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw failure.givenUp("; interrupted while waiting to retry", attempts);
    }
  }
}
