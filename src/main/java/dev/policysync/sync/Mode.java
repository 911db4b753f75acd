package dev.policysync.sync;

/// Whether writes are meant.
public enum Mode {
  /// They are.
  LIVE,
  /// The API server judges each one with `dryRun=All` and persists nothing (promise 11).
  DRY_RUN
}
