package dev.policysync.inspect;

/// Which policies are asked for.
public enum ExportSelection {
  /// Those that the agent owns.
  OURS,
  /// Those that anybody wrote, whoever owns them.
  ALL
}
