package dev.policysync.report;

import java.nio.file.Path;
import java.util.function.Consumer;

/// Where what was collected goes.
public sealed interface Delivery {
  /// To the API.
  ///
  /// @param tellFailures whether the API is told when there is no report
  record Sent(ReportUpload upload, boolean tellFailures) implements Delivery {}

  /// Into a file, for another container to send.
  record Written(Path file) implements Delivery {}

  /// To whoever asked; nothing leaves.
  record Shown(Consumer<Findings> reader) implements Delivery {}
}
