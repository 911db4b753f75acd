package dev.policysync.policy.feed;

/// The feed as a whole cannot be trusted: it cannot be reached, the request was rejected, or the
/// response is truncated or not a stream of policies. Nothing may be written on the basis of such a
/// feed.
///
/// The message says what was tried, what the response was and what to do, and quotes nothing of the
/// feed.
public final class FeedProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean retryable;

  /// Creates a problem.
  ///
  /// @param retryable whether the next run may succeed without a change by a person
  public FeedProblem(String reason, boolean retryable) {
    super(reason);
    this.reason = reason;
    this.retryable = retryable;
  }

  public FeedProblem(String reason, boolean retryable, Throwable cause) {
    super(reason, cause);
    this.reason = reason;
    this.retryable = retryable;
  }

  /// Returns the message, which is never null.
  public String reason() {
    return reason;
  }

  public boolean retryable() {
    return retryable;
  }
}
