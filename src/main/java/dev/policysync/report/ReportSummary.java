package dev.policysync.report;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a run of `report` ended.
///
/// @param content what was collected; empty where that failed
/// @param failure why it is no success; empty where it is one
/// @param bytes how large the body is that was sent or written; 0 where it was shown
/// @param warnings what somebody should look at
public record ReportSummary(
    Status status,
    Optional<Content> content,
    Optional<String> failure,
    long bytes,
    Duration duration,
    List<String> warnings) {
  public ReportSummary {
    warnings = List.copyOf(warnings);
  }

  /// A summary without warnings.
  public ReportSummary(
      Status status,
      Optional<Content> content,
      Optional<String> failure,
      long bytes,
      Duration duration) {
    this(status, content, failure, bytes, duration, List.of());
  }

  /// What became of the report.
  public enum Status {
    UPLOADED,
    WRITTEN,
    SHOWN,
    /// Nothing was sent, written or shown.
    FAILED
  }

  /// What was collected.
  public record Content(
      Totals totals, CollectionStatistics statistics, Map<ReportKind, ReportSizes> sizes) {
    public Content {
      sizes = Map.copyOf(sizes);
    }
  }

  /// One that could not even begin, or came to no end.
  public static ReportSummary failed(String reason, Duration duration) {
    return new ReportSummary(Status.FAILED, Optional.empty(), Optional.of(reason), 0, duration);
  }
}
