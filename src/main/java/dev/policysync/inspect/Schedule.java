package dev.policysync.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The agent's CronJob, which starts its runs, if it could be read.
public sealed interface Schedule {
  /// Returns why the next run may not start or succeed; empty if it can be expected, or if that is
  /// unknown.
  Optional<String> objection(Instant now);

  /// A CronJob as stored by the API server.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  /// @param hourly whether the schedule has a run in every hour
  /// @param lastRun when the CronJob last started a Job
  /// @param lastSuccess when a Job last succeeded
  /// @param active the number of running Jobs
  record CronJob(
      String name,
      boolean suspended,
      boolean hourly,
      Optional<Instant> lastRun,
      Optional<Instant> lastSuccess,
      int active)
      implements Schedule {
    /// How late a run may be: more than an hour, so that one late or failed Job is no problem.
    private static final Duration LATE = Duration.ofMinutes(75);

    /// Returns whether the last Job failed; a running Job may still succeed.
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

  /// The namespace has no such CronJob: the agent is not installed, or it is in another namespace.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  record Missing(String name) implements Schedule {
    @Override
    public Optional<String> objection(Instant now) {
      return Optional.of(
          "there is no CronJob " + name + "; name the agent's namespace with --namespace");
    }
  }

  /// The CronJob could not be read; [ClusterFacts#unread()] has the reason.
  record Unread() implements Schedule {
    @Override
    public Optional<String> objection(Instant now) {
      return Optional.empty();
    }
  }
}
