package dev.policysync.report;

import java.util.Map;
import java.util.stream.Stream;

/// What all the reports of a cluster say, each thing once: the one object that is handed to whoever
/// prints. It holds the counts in memory and the findings in a file, as there may be 600,000.
public interface Findings extends AutoCloseable {
  /// How many results there are, by whatever they are counted.
  Totals totals();

  /// What was left out or folded on the way.
  CollectionStatistics statistics();

  /// What was read, by kind; a kind that the cluster does not have is absent.
  Map<ReportKind, ReportSizes> sizes();

  /// The findings one by one, the most severe first, then by policy, namespace, resource and rule:
  /// in the same order however the cluster listed them. May be called again; the stream is to be
  /// closed, and no longer than this is open.
  Stream<Finding> stream();

  /// Gives back the file.
  @Override
  void close();
}
