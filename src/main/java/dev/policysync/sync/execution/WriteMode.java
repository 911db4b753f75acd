package dev.policysync.sync.execution;

/// Whether writes are meant.
public enum WriteMode {
  /// They are.
  LIVE,
  /// The API server judges each one with `dryRun=All` and persists nothing (promise 11).
  DRY_RUN
}
