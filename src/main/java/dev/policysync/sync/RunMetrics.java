package dev.policysync.sync;

import dev.policysync.plan.Action.Cause;
import dev.policysync.plan.Plan;
import dev.policysync.sync.MetricFamily.Sample;
import dev.policysync.sync.Summary.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The Prometheus metrics of one run. They contain only facts that the run knows: other metrics
/// keep the values of an earlier run, such as the time of the last success. `docs/operations.md`
/// lists all metrics.
public final class RunMetrics {
  private static final String PREFIX = "policysync_";

  private RunMetrics() {}

  /// Returns the metrics of a run as text, for a Pushgateway or a file.
  ///
  /// @param where labels that every sample gets: organization and cluster
  /// @param now when the run ended
  public static MetricsText of(
      SyncResult result, Summary summary, String version, Instant now, Map<String, String> where) {
    return new MetricsText(families(result, summary, version, now), where);
  }

  static List<MetricFamily> families(
      SyncResult result, Summary summary, String version, Instant now) {
    var all = new ArrayList<MetricFamily>();
    all.add(info("build_info", "Version of the agent that ran last.", "version", version));
    all.add(
        one(
            "last_run_timestamp_seconds",
            "When the last run ended, however it did.",
            (double) now.getEpochSecond()));
    if (summary.status() == RunStatus.DONE && summary.skipped().isEmpty()) {
      all.add(
          one(
              "last_success_timestamp_seconds",
              "When the last run ended that succeeded and was not skipped.",
              (double) now.getEpochSecond()));
    }
    all.add(
        one(
            "last_run_duration_seconds",
            "How long the last run took.",
            summary.duration().toMillis() / 1000.0));
    all.add(status(summary));
    plan(result).ifPresent(plan -> all.addAll(of(plan, summary)));
    summary
        .feed()
        .ifPresent(
            feed -> all.add(info("feed_info", "Digest of the feed.", "digest", feed.toString())));
    return all;
  }

  /// Returns the plan of the run. A run that was refused, stopped early or skipped has no plan, so
  /// the state of its policies is unknown.
  private static Optional<Plan> plan(SyncResult result) {
    return switch (result) {
      case SyncResult.Finished run -> Optional.of(run.plan());
      case SyncResult.Interrupted(var run) -> Optional.of(run.plan());
      case SyncResult.CutOff(_, var run) -> run.map(SyncResult.Finished::plan);
      case SyncResult.Skipped _, SyncResult.Stopped _, SyncResult.Refused _ -> Optional.empty();
    };
  }

  private static List<MetricFamily> of(Plan plan, Summary summary) {
    var removalsWithheld =
        plan.pending().withheld().stream()
            .filter(withheld -> withheld.guard().onRemovals())
            .count();
    return List.of(
        new MetricFamily(
            PREFIX + "policies",
            "Policies by state.",
            Arrays.stream(PolicyState.values())
                .map(state -> sample("state", state.label(), state.in(summary)))
                .toList()),
        changes(summary),
        one("withheld_removals", "Removals that a guard holds back.", (double) removalsWithheld),
        new MetricFamily(
            PREFIX + "pending_approvals",
            "Lists that wait for a person's approval.",
            List.of(
                sample("for", "removals", summary.pending().approval().isPresent() ? 1 : 0),
                sample("for", "enforcement", summary.pending().enforcing().isPresent() ? 1 : 0))),
        one(
            "contested_policies",
            "Policies that the last run repaired once more after the same other manager.",
            plan.problems().managerConflicts().size()));
  }

  /// Counts the changes by action and cause. A cause without changes is included as 0, so that
  /// queries find it.
  private static MetricFamily changes(Summary summary) {
    var samples = new ArrayList<Sample>();
    samples.addAll(counts("applied", summary.writes().applied(), Cause.NEW));
    samples.addAll(
        counts("updated", summary.writes().updated(), Cause.CHANGED, Cause.DRIFTED, Cause.ADOPTED));
    samples.addAll(
        counts("removed", summary.writes().removed(), Cause.GONE_FROM_FEED, Cause.REPLACED));
    return new MetricFamily(
        PREFIX + "last_run_changes",
        "Policies that the last run changed, by action and cause.",
        samples);
  }

  private static List<Sample> counts(String action, List<Summary.Change> changes, Cause... causes) {
    return Arrays.stream(causes)
        .map(cause -> {
          var labels = new LinkedHashMap<String, String>();
          labels.put("action", action);
          labels.put("cause", cause.name().toLowerCase(Locale.ROOT));
          return new Sample(
              labels, (double) changes.stream().filter(change -> change.cause() == cause).count());
        })
        .toList();
  }

  /// Returns one sample per status. The sample of the run's status is 1, the others are 0.
  private static MetricFamily status(Summary summary) {
    var ended =
        summary.skipped().isPresent() && summary.status() == RunStatus.DONE
            ? "skipped"
            : summary.status().name().toLowerCase(Locale.ROOT);
    return new MetricFamily(
        PREFIX + "last_run_status",
        "How the last run ended: 1 for its status, 0 for the others.",
        Stream.concat(
                Arrays.stream(RunStatus.values())
                    .map(status -> status.name().toLowerCase(Locale.ROOT)),
                Stream.of("skipped"))
            .map(status -> sample("status", status, status.equals(ended) ? 1 : 0))
            .toList());
  }

  private static Sample sample(String label, String text, double value) {
    return new Sample(Map.of(label, text), value);
  }

  private static MetricFamily one(String name, String help, double value) {
    return MetricFamily.of(PREFIX + name, help, value);
  }

  private static MetricFamily info(String name, String help, String label, String text) {
    return MetricFamily.info(PREFIX + name, help, label, text);
  }
}
