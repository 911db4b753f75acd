package dev.policysync.report;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The outcome of a run of `report`.
///
/// @param content what was collected; empty if the collection failed
/// @param failure why the run failed; empty if it succeeded
/// @param bytes the size of the body that was uploaded or written; 0 if the report was shown
/// @param warnings what a person should check
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

  public ReportSummary(
      Status status,
      Optional<Content> content,
      Optional<String> failure,
      long bytes,
      Duration duration) {
    this(status, content, failure, bytes, duration, List.of());
  }

  public enum Status {
    UPLOADED,
    WRITTEN,
    SHOWN,
    /// Nothing was uploaded, written or shown.
    FAILED
  }

  public record Content(
      Totals totals, CollectionStatistics statistics, Map<ReportKind, ReportSizes> sizes) {
    public Content {
      sizes = Map.copyOf(sizes);
    }
  }

  /// Creates the summary of a run whose collection failed or did not finish.
  public static ReportSummary failed(String reason, Duration duration) {
    return new ReportSummary(Status.FAILED, Optional.empty(), Optional.of(reason), 0, duration);
  }
}
