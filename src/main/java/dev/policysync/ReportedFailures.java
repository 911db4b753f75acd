package dev.policysync;

import dev.policysync.cluster.ClusterConnection;
import dev.policysync.cluster.ClusterReports;
import dev.policysync.impact.Impact;
import dev.policysync.policy.PolicyId;
import dev.policysync.report.Census;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.Resource;
import dev.policysync.sync.FailingNow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;

/// Asks the cluster's policy reports who breaks a policy now. A run asks once, and only where
/// something tightens.
final class ReportedFailures implements FailingNow {
  /// Enough to see what they have in common.
  private static final int NAMED = 10;

  private final ClusterConnection cluster;
  private final RunPatience patience;
  private final List<Path> folders;

  /// @param folders where temporary files may be, the best first
  ReportedFailures(ClusterConnection cluster, RunPatience patience, List<Path> folders) {
    this.cluster = cluster;
    this.patience = patience;
    this.folders = List.copyOf(folders);
  }

  @Override
  public Answer of(Collection<Impact> tightening) {
    var hurried = new ReportPatience(patience);
    var census = new Census(new ClusterReports(cluster.with(hurried)), folders, NAMED);
    var questions = new ArrayList<Census.Question>();
    tightening.stream()
        .map(Impact::reported)
        .distinct()
        .forEach(policy -> questions.add(question(policy, about(policy, tightening))));
    try {
      var answer = census.ask(questions);
      var policies = new HashMap<PolicyId, Failing>();
      for (var impact : tightening) {
        var count = answer.policies().get(impact.reported());
        if (count != null) {
          policies.put(impact.policy(), failing(count));
        }
      }
      return new Answer.Reported(answer.anyReports(), policies);
    } catch (CollectionFailed e) {
      return new Answer.Unavailable(e.getMessage());
    }
  }

  /// A policy and its bindings may tighten at the same time; then whoever is concerned by any of
  /// them is counted for each.
  private static List<Impact> about(PolicyId policy, Collection<Impact> tightening) {
    return tightening.stream().filter(impact -> impact.reported().equals(policy)).toList();
  }

  private static Census.Question question(PolicyId policy, List<Impact> impacts) {
    var reasons = impacts.stream().flatMap(impact -> impact.guarded().stream()).toList();
    return new Census.Question(
        policy,
        rule -> reasons.stream().anyMatch(reason -> reason.rule().map(rule::is).orElse(true)),
        (rule, namespace) ->
            reasons.stream()
                .anyMatch(reason ->
                    reason.rule().map(rule::is).orElse(true) && reason.reaches(namespace)));
  }

  private static Failing failing(Census.Count count) {
    return new Failing(
        count.namespaces(), count.names().stream().map(Resource::label).toList(), count.newest());
  }
}
