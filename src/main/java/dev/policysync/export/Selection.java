package dev.policysync.export;

/// Which policies are asked for.
public enum Selection {
  /// Those that the agent owns.
  OURS,
  /// Those that anybody wrote, whoever owns them.
  ALL
}
