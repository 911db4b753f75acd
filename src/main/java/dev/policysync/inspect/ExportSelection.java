package dev.policysync.inspect;

/// Which policies to export.
public enum ExportSelection {
  /// The policies that the agent owns.
  OURS,
  /// All policies that people wrote, whoever owns them.
  ALL
}
