package dev.policysync.policy.feed;

/// The feed as a whole cannot be trusted: it cannot be reached, the request was refused, or the
/// answer is truncated or not a stream of policies. Nothing may be written on the basis of such a
/// feed.
///
/// The message says what was tried, what came back and what to do, and quotes nothing of the feed.
public final class FeedProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean retryable;

  /// Creates a problem; `retryable` says whether it may be gone in the next run without anyone's
  /// help.
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
