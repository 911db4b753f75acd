package dev.policysync.app;

import dev.policysync.policy.Rehearsal;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.report.CollectionFailed;
import dev.policysync.report.VerdictComparer;
import dev.policysync.sync.analysis.RehearsalSource;
import java.nio.file.Path;
import java.util.Collection;
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
              .compare(rehearsals);
      return new Result.Reported(compared.comparisons(), compared.latest());
    } catch (CollectionFailed e) {
      return new Result.Unavailable(e.getMessage());
    }
  }
}
