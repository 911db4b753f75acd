package dev.policysync.remote.insights;

/// A retry decision says when a failed request is sent again.
enum RetryDecision {
  /// Retry within this run: the cause often passes in a moment.
  SOON,
  /// Leave it to the next run: the cause may pass by itself, but not while this run waits.
  NEXT_RUN,
  /// Do not retry until a person has changed something.
  NEVER
}
