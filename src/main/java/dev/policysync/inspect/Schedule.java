package dev.policysync.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The agent's CronJob, which starts its runs, if it could be read.
public sealed interface Schedule {
  /// Returns why the next run may not start or succeed; empty if it can be expected, or if that is
  /// unknown.
  Optional<Objection> objection(Instant now);

  /// Why the next run may not start or succeed.
  ///
  /// @param what `No runs are scheduled: CronJob insights-agent/kyverno-policy-sync is suspended`
  /// @param how how to correct it, where no command does; empty otherwise
  /// @param next a command that corrects it, or shows more
  /// @param lastRunFailed whether it is only that the last run failed, for whatever reason
  record Objection(String what, String how, String next, boolean lastRunFailed) {
    private Objection(String what, String next) {
      this(what, "", next, false);
    }
  }

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
    public Optional<Objection> objection(Instant now) {
      var slash = name.indexOf('/');
      var namespace = " --namespace=" + name.substring(0, slash);
      if (suspended) {
        return Optional.of(
            new Objection(
                "No runs are scheduled: CronJob " + name + " is suspended",
                "kubectl patch cronjob "
                    + name.substring(slash + 1)
                    + namespace
                    + " --patch='{\"spec\": {\"suspend\": false}}'"));
      }
      var jobs = "kubectl get jobs" + namespace;
      if (failed()) {
        return Optional.of(
            new Objection("The last run failed (CronJob " + name + ")", "", jobs, true));
      }
      return !hourly || lastSuccess.filter(time -> time.isAfter(now.minus(LATE))).isPresent()
          ? Optional.empty()
          : Optional.of(
              new Objection(
                  "No run has succeeded for more than an hour (CronJob " + name + ")", jobs));
    }
  }

  /// The namespace has no such CronJob: the agent is not installed, or it is in another namespace.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  record Missing(String name) implements Schedule {
    @Override
    public Optional<Objection> objection(Instant now) {
      return Optional.of(
          new Objection(
              "No runs are scheduled: there is no CronJob " + name,
              "policy-sync status --namespace=NAMESPACE, with the agent's namespace"));
    }
  }

  /// The CronJob of that name runs the Go agent: both agents are installed, in one Helm release, or
  /// this one is not yet.
  ///
  /// @param name `insights-agent/kyverno-policy-sync`
  record OfTheGoAgent(String name) implements Schedule {
    @Override
    public Optional<Objection> objection(Instant now) {
      return Optional.of(
          new Objection(
              "The Go agent runs, not this one: CronJob "
                  + name
                  + " is of the chart insights-agent",
              "Set kyverno-policy-sync.enabled: false in the values of insights-agent, and upgrade"
                  + " both charts.",
              "kubectl get cronjobs --show-labels --namespace="
                  + name.substring(0, name.indexOf('/')),
              false));
    }
  }

  /// The CronJob could not be read; [ClusterFacts#unread()] has the reason.
  record Unread() implements Schedule {
    @Override
    public Optional<Objection> objection(Instant now) {
      return Optional.empty();
    }
  }
}
