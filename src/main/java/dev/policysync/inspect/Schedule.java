package dev.policysync.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What starts the agent's runs: its CronJob, as far as it could be read.
public sealed interface Schedule {
  /// Why nobody may count on the next run; empty where one may, or nothing is known.
  Optional<String> objection(Instant now);

  /// As the API server keeps it.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  /// @param hourly whether it is due in each hour
  /// @param lastRun when it started a Job last
  /// @param lastSuccess when a Job succeeded last
  /// @param active how many Jobs are at work
  record CronJob(
      String name,
      boolean suspended,
      boolean hourly,
      Optional<Instant> lastRun,
      Optional<Instant> lastSuccess,
      int active)
      implements Schedule {
    /// A Job that waits for its turn, and one that fails, are not yet a reason to worry.
    private static final Duration LATE = Duration.ofMinutes(75);

    /// Whether the last Job failed; one at work may still succeed.
    private boolean failed() {
      return active == 0
          && lastRun
              .filter(run -> lastSuccess.filter(success -> !success.isBefore(run)).isEmpty())
              .isPresent();
    }

    @Override
    public Optional<String> objection(Instant now) {
      if (suspended) {
        return Optional.of("it is suspended");
      }
      if (failed()) {
        return Optional.of("the last Job failed");
      }
      return !hourly || lastSuccess.filter(time -> time.isAfter(now.minus(LATE))).isPresent()
          ? Optional.empty()
          : Optional.of("no Job succeeded for more than an hour");
    }
  }

  /// There is none in the namespace that was asked: the agent is not installed, or elsewhere.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  record Missing(String name) implements Schedule {
    @Override
    public Optional<String> objection(Instant now) {
      return Optional.of(
          "there is no CronJob " + name + "; name the agent's namespace with --namespace");
    }
  }

  /// It could not be read; the reason is among what is unread.
  record Unread() implements Schedule {
    @Override
    public Optional<String> objection(Instant now) {
      return Optional.empty();
    }
  }
}
