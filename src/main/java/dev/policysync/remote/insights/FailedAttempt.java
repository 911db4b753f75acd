package dev.policysync.remote.insights;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt at a call that did not bring what was asked for.
///
/// Its message is what came back and what to do, `returned 401: the token was refused; …`, and
/// quotes neither headers nor a body. It carries no cause whose message might.
final class FailedAttempt extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final RetryDecision retryDecision;
  private final int status;
  private final @Nullable Duration wait;

  private FailedAttempt(
      String message,
      RetryDecision retryDecision,
      int status,
      @Nullable Duration wait,
      @Nullable Throwable cause) {
    super(message, cause);
    this.retryDecision = retryDecision;
    this.status = status;
    this.wait = wait;
  }

  /// No answer, or one that cannot be used.
  static FailedAttempt of(String message, RetryDecision retryDecision) {
    return new FailedAttempt(message, retryDecision, 0, null, null);
  }

  /// No answer, and an exception known to quote nothing that came over the wire.
  static FailedAttempt of(String message, RetryDecision retryDecision, Throwable cause) {
    return new FailedAttempt(message, retryDecision, 0, null, cause);
  }

  /// An answer with an unwelcome status.
  ///
  /// @param wait what the server asks to wait before the next attempt, where it does
  static FailedAttempt answered(
      int status, String message, RetryDecision retryDecision, @Nullable Duration wait) {
    return new FailedAttempt(message, retryDecision, status, wait, null);
  }

  /// The same with a remark on its end.
  FailedAttempt with(String remark) {
    return new FailedAttempt(getMessage() + remark, retryDecision, status, wait, getCause());
  }

  RetryDecision again() {
    return retryDecision;
  }

  /// What the server asks to wait.
  Optional<Duration> retryAfter() {
    return Optional.ofNullable(wait);
  }

  /// Whether it says something about this one request only, so that others may well succeed.
  boolean concernsOnlyThisRequest() {
    return status == 400 || status == 413 || status == 422;
  }

  @Override
  public String getMessage() {
    var message = super.getMessage();
    return message == null ? "" : message;
  }
}
