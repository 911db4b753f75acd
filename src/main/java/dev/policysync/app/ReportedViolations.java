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

/// Asks the cluster's policy reports who breaks a policy now. A run asks once, and only where
/// something tightens.
final class ReportedViolations implements ViolationSource {
  /// Enough to see what they have in common.
  static final int NAMED = 10;

  /// Reports are waited for no longer than they are worth: that long, and half of what is left of
  /// the run at most. The sync goes on without them.
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final ClusterConnection cluster;
  private final List<Path> folders;

  /// @param folders where temporary files may be, the best first
  ReportedViolations(ClusterConnection cluster, List<Path> folders) {
    this.cluster = cluster;
    this.folders = List.copyOf(folders);
  }

  @Override
  public Result of(Collection<Impact> tightening) {
    var violationCounter = new ViolationCounter(hurriedReports(cluster), folders, NAMED);
    var questions = new ArrayList<ViolationCounter.Query>();
    tightening.stream()
        .map(Impact::reported)
        .distinct()
        .forEach(policy -> questions.add(question(policy, about(policy, tightening))));
    try {
      var queryResult = violationCounter.ask(questions);
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

  /// The reports of that cluster, to be read in the time that they are worth.
  static ReportSource hurriedReports(ClusterConnection cluster) {
    return new ClusterReports(cluster.with(hurried(cluster.timeBudget())));
  }

  static TimeBudget hurried(TimeBudget run) {
    var half = run.allowance(Duration.ZERO).dividedBy(2);
    return run.within(TimeBudget.shorter(half, LONGEST), "reading the reports");
  }

  /// A policy and its bindings may tighten at the same time; then whoever is concerned by any of
  /// them is counted for each.
  private static List<Impact> about(PolicyId policy, Collection<Impact> tightening) {
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
