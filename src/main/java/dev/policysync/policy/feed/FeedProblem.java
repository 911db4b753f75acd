package dev.policysync.policy.feed;

/// The feed as a whole cannot be trusted: not reachable, refused, cut off, or not a stream of
/// policies. Nothing may be written on the strength of it.
///
/// Its message says what was tried, what came back and what to do, and quotes nothing of the feed.
public final class FeedProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final boolean retryable;

  /// A problem, and whether it may be gone on the next run without anyone's help.
  public FeedProblem(String reason, boolean retryable) {
    super(reason);
    this.reason = reason;
    this.retryable = retryable;
  }

  /// A problem with what caused it.
  public FeedProblem(String reason, boolean retryable, Throwable cause) {
    super(reason, cause);
    this.reason = reason;
    this.retryable = retryable;
  }

  /// The message; never absent.
  public String reason() {
    return reason;
  }

  /// Whether it may pass by itself.
  public boolean retryable() {
    return retryable;
  }
}
