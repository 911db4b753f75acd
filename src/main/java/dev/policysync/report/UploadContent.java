package dev.policysync.report;

import java.util.EnumSet;
import java.util.Set;

/// What the upload contains of the reports.
///
/// @param results the results that `policyReports` and `clusterPolicyReports` contain; findings
///   include more
/// @param titles the results that carry the title and description of their policy
public record UploadContent(Set<ReportResult> results, Titles titles) {
  /// What the report plugin of the Go agent uploads. The API counts a missing finding as fixed, and
  /// may count one with another title as a new one.
  public static final UploadContent AS_THE_GO_AGENT =
      new UploadContent(EnumSet.of(ReportResult.FAIL, ReportResult.WARN), Titles.CLUSTER);

  public UploadContent {
    results = Set.copyOf(results);
  }

  /// The results with a title.
  public enum Titles {
    /// The results in `clusterPolicyReports`, of policies that have a title.
    CLUSTER,
    /// All results; a policy without a title has its name as title.
    ALL
  }

  boolean hasTitles(ReportKind kind) {
    return titles == Titles.ALL || kind.isClusterScoped();
  }

  /// Returns the title to upload; empty for none.
  String title(ReportedPolicy policy) {
    var titled = !policy.title().equals(policy.name());
    return titles == Titles.ALL || titled ? policy.title() : "";
  }
}
