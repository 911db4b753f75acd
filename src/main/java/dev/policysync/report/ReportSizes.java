package dev.policysync.report;

/// The number and size of the reports of a kind, in bytes of JSON as the API server sends it, which
/// is also how etcd stores custom resources. Every report is measured.
///
/// @param reports the number of objects
/// @param results the number of results in these objects, before deduplication
/// @param bytes the size of the objects with their results
/// @param resultBytes the size of the results alone
public record ReportSizes(long reports, long results, long bytes, long resultBytes) {
  public static final ReportSizes NONE = new ReportSizes(0, 0, 0, 0);

  public ReportSizes plus(ReportSizes other) {
    return new ReportSizes(
        reports + other.reports,
        results + other.results,
        bytes + other.bytes,
        resultBytes + other.resultBytes);
  }

  /// Returns the average size of a result; 0 if there is none.
  public double perResult() {
    return results == 0 ? 0 : (double) resultBytes / results;
  }

  /// Returns the average size of a report without its results; 0 if there is none.
  public double perReport() {
    return reports == 0 ? 0 : (double) (bytes - resultBytes) / reports;
  }
}
