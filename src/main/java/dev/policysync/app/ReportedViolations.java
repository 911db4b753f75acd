package dev.policysync.app;

import dev.policysync.plan.impact.Impact;
import dev.policysync.policy.PolicyId;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.ClusterReports;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.ReportSource;
import dev.policysync.report.Resource;
import dev.policysync.report.ViolationCounter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.TimeBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;

/// Counts the current violations of a policy in the cluster's policy reports. A run reads the
/// reports at most once, and only if a change makes a policy stricter.
final class ReportedViolations implements ViolationSource {
  /// How many resources are named per policy: enough to show what they have in common.
  static final int NAMED = 10;

  /// The longest time for reading reports, which also get at most half of the run's remaining time.
  /// After that, the sync continues without reports.
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final ClusterConnection cluster;
  private final List<Path> folders;

  /// @param folders directories for temporary files, the best first
  ReportedViolations(ClusterConnection cluster, List<Path> folders) {
    this.cluster = cluster;
    this.folders = List.copyOf(folders);
  }

  @Override
  public Result of(Collection<Impact> tightening) {
    var violationCounter = new ViolationCounter(reportsWithReadLimit(cluster), folders, NAMED);
    var questions = new ArrayList<ViolationCounter.Query>();
    tightening.stream()
        .map(Impact::reported)
        .distinct()
        .forEach(policy -> questions.add(question(policy, impactsOn(policy, tightening))));
    try {
      var queryResult = violationCounter.count(questions);
      var policies = new HashMap<PolicyId, Violations>();
      for (var impact : tightening) {
        var count = queryResult.policies().get(impact.reported());
        if (count != null) {
          policies.put(impact.policy(), failing(count));
        }
      }
      return new Result.Reported(queryResult.anyReports(), policies);
    } catch (CollectionFailed e) {
      return new Result.Unavailable(e.getMessage());
    }
  }

  /// Returns the cluster's reports, with the time limit for reading them.
  static ReportSource reportsWithReadLimit(ClusterConnection cluster) {
    return new ClusterReports(cluster.withTimeBudget(withReadLimit(cluster.timeBudget())));
  }

  static TimeBudget withReadLimit(TimeBudget run) {
    var half = run.allowance(Duration.ZERO).dividedBy(2);
    return run.within(TimeBudget.shorter(half, LONGEST), "reading the reports");
  }

  /// Returns the impacts on one policy. A policy and its bindings may become stricter in the same
  /// run; a resource that any of these changes affects is counted for each of them.
  private static List<Impact> impactsOn(PolicyId policy, Collection<Impact> tightening) {
    return tightening.stream().filter(impact -> impact.reported().equals(policy)).toList();
  }

  private static ViolationCounter.Query question(PolicyId policy, List<Impact> impacts) {
    var reasons = impacts.stream().flatMap(impact -> impact.guarded().stream()).toList();
    return new ViolationCounter.Query(
        policy,
        rule ->
            reasons.stream()
                .anyMatch(impactReason -> impactReason.rule().map(rule::is).orElse(true)),
        (rule, namespace) ->
            reasons.stream()
                .anyMatch(impactReason ->
                    impactReason.rule().map(rule::is).orElse(true)
                        && impactReason.reaches(namespace)));
  }

  private static Violations failing(ViolationCounter.Count count) {
    return new Violations(
        count.namespaces(), count.names().stream().map(Resource::label).toList(), count.newest());
  }
}
