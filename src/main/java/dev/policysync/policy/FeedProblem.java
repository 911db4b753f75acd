package dev.policysync.policy;

/// The feed as a whole cannot be trusted: not reachable, refused, cut off, or not a stream of
/// policies. Nothing may be written on the strength of it.
///
/// Its message says what was tried, what came back and what to do, and quotes nothing of the feed.
public final class FeedProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean retryable;

  /// A problem, and whether it may be gone on the next run without anyone's help.
  public FeedProblem(String message, boolean retryable) {
    super(message);
    this.retryable = retryable;
  }

  /// A problem with what caused it.
  public FeedProblem(String message, boolean retryable, Throwable cause) {
    super(message, cause);
    this.retryable = retryable;
  }

  /// Whether it may pass by itself.
  public boolean retryable() {
    return retryable;
  }
}
