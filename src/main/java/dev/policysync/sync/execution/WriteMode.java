package dev.policysync.sync.execution;

/// Whether writes are real.
public enum WriteMode {
  LIVE,
  /// The API server evaluates each write with `dryRun=All` and persists nothing (promise 11).
  DRY_RUN
}
