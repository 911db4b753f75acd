package dev.policysync.app;

import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.sync.analysis.RehearsalSource;
import java.nio.file.Path;
import java.util.List;

/// What a run makes for itself, for tests in other packages.
public final class Rehearsals {
  private Rehearsals() {}

  /// Rehearsals as that cluster's reports tell of them.
  ///
  /// @param folder for temporary files
  public static RehearsalSource reported(ClusterConnection cluster, Path folder) {
    return new ReportedRehearsals(cluster, List.of(folder));
  }
}
