package dev.policysync.app;

import dev.policysync.policy.PolicyId;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.VerdictComparer;
import dev.policysync.sync.analysis.RehearsalSource;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;

/// Compares the verdicts of policies and their successors in the cluster's policy reports. A run
/// reads the reports once, within the time limit of [ReportedViolations].
final class ReportedRehearsals implements RehearsalSource {
  private final ClusterConnection cluster;
  private final List<Path> folders;

  /// @param folders directories for temporary files, the best first
  ReportedRehearsals(ClusterConnection cluster, List<Path> folders) {
    this.cluster = cluster;
    this.folders = List.copyOf(folders);
  }

  @Override
  public Result of(Collection<Rehearsal> rehearsals) {
    try {
      var compared =
          new VerdictComparer(
                  ReportedViolations.reportsWithReadLimit(cluster),
                  folders,
                  ReportedViolations.NAMED)
              .compare(rehearsals.stream().map(ReportedRehearsals::query).toList());
      var comparisons = new HashMap<PolicyId, Comparison>();
      compared
          .comparisons()
          .forEach((policy, verdicts) -> comparisons.put(policy, comparison(verdicts)));
      return new Result.Reported(comparisons, compared.latest());
    } catch (CollectionFailed e) {
      return new Result.Unavailable(e.getMessage());
    }
  }

  private static VerdictComparer.Query query(Rehearsal rehearsal) {
    return new VerdictComparer.Query(
        rehearsal.legacy().id(),
        rehearsal.legacy().since(),
        rehearsal.successors().stream()
            .map(successor ->
                new VerdictComparer.Successor(
                    successor.member().id(), successor.member().since(), successor.rule()))
            .toList());
  }

  /// Returns the result of one comparison. A difference counts even if other results are missing.
  static Comparison comparison(VerdictComparer.Comparison verdicts) {
    if (verdicts.differing().resources() > 0) {
      return new Comparison.Differs(verdicts.differing().resources(), verdicts.differing().names());
    }
    return verdicts.missing().resources() > 0
        ? new Comparison.Incomplete(
            verdicts.judged(), verdicts.missing().resources(), verdicts.missing().names())
        : new Comparison.Agrees(verdicts.judged());
  }
}
