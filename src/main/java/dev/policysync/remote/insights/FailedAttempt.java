package dev.policysync.remote.insights;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A failed attempt at an API call.
///
/// The message says what the API returned and what to do, such as `returned 401: the token was
/// refused; …`. It quotes neither headers nor a body, and the exception has no cause whose message
/// might.
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

  static FailedAttempt of(String message, RetryDecision retryDecision) {
    return new FailedAttempt(message, retryDecision, 0, null, null);
  }

  /// Creates a failure of an attempt without a response.
  ///
  /// @param cause an exception whose message quotes nothing that was received
  static FailedAttempt of(String message, RetryDecision retryDecision, Throwable cause) {
    return new FailedAttempt(message, retryDecision, 0, null, cause);
  }

  /// Creates a failure of an attempt that got an error status.
  ///
  /// @param wait how long the server asks to wait before the next attempt; null if it does not
  static FailedAttempt answered(
      int status, String message, RetryDecision retryDecision, @Nullable Duration wait) {
    return new FailedAttempt(message, retryDecision, status, wait, null);
  }

  /// Returns this failure as the final one, after the last attempt.
  ///
  /// @param why why there are no more attempts
  FailedAttempt givenUp(String why, int attempts) {
    var said = getMessage() + why + (attempts == 1 ? "" : " (" + attempts + " attempts)");
    return new FailedAttempt(said, retryDecision, status, wait, getCause());
  }

  RetryDecision retryDecision() {
    return retryDecision;
  }

  Optional<Duration> retryAfter() {
    return Optional.ofNullable(wait);
  }

  /// Returns whether the failure concerns only this request, so that other requests may succeed.
  boolean concernsOnlyThisRequest() {
    return status == 400 || status == 413 || status == 422;
  }

  @Override
  public String getMessage() {
    var message = super.getMessage();
    return message == null ? "" : message;
  }
}
