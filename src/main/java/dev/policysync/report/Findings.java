package dev.policysync.report;

import java.util.Map;
import java.util.stream.Stream;

/// The deduplicated results of all reports of a cluster, as passed to the views. The counts are in
/// memory and the findings in a file, since there may be 600,000.
public interface Findings extends AutoCloseable {
  /// Returns the number of results, in total and by policy, namespace, severity and category.
  Totals totals();

  CollectionStatistics statistics();

  /// Returns how much was read, by kind. A kind that the cluster does not serve is absent.
  Map<ReportKind, ReportSizes> sizes();

  /// Streams the findings, the most severe first, then by policy, namespace, resource and rule. The
  /// order does not depend on the order in which the cluster lists reports. This method may be
  /// called again. The caller must close the stream before it closes this object.
  Stream<Finding> stream();

  @Override
  void close();
}
