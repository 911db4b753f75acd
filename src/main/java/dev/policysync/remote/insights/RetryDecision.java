package dev.policysync.remote.insights;

/// Whether an attempt that failed is worth repeating.
enum RetryDecision {
  /// At once, within this run: the cause often passes in a moment.
  SOON,
  /// By the next run: it may pass by itself, but not while we wait.
  NEXT_RUN,
  /// Not before somebody has changed something.
  NEVER
}
