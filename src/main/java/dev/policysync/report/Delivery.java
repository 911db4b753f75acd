package dev.policysync.report;

import java.nio.file.Path;
import java.util.function.Consumer;

/// The destination of a report.
public sealed interface Delivery {
  /// Uploads the report to the API.
  ///
  /// @param notifyFailures whether to notify the API when there is no report
  record Sent(ReportUpload upload, boolean notifyFailures) implements Delivery {}

  /// Writes the report into a file, which another container uploads.
  record Written(Path file) implements Delivery {}

  /// Passes the findings to a view; nothing leaves the process.
  record Shown(Consumer<Findings> reader) implements Delivery {}
}
