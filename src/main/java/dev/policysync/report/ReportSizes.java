package dev.policysync.report;

/// How large the reports of a kind are, in bytes of JSON as the API server sends them, which is how
/// etcd keeps custom resources, too. All of them are measured.
///
/// @param reports objects
/// @param results in these objects, before anything is folded
/// @param bytes of the objects, their results included
/// @param resultBytes of the results alone
public record ReportSizes(long reports, long results, long bytes, long resultBytes) {
  /// Nothing there.
  public static final ReportSizes NONE = new ReportSizes(0, 0, 0, 0);

  /// Both together.
  public ReportSizes plus(ReportSizes other) {
    return new ReportSizes(
        reports + other.reports,
        results + other.results,
        bytes + other.bytes,
        resultBytes + other.resultBytes);
  }

  /// What one more result takes; 0 where there is none to measure.
  public double perResult() {
    return results == 0 ? 0 : (double) resultBytes / results;
  }

  /// What one more report takes beside its results; 0 where there is none to measure.
  public double perReport() {
    return reports == 0 ? 0 : (double) (bytes - resultBytes) / reports;
  }
}
