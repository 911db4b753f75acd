package dev.policysync.plan;

import java.util.Optional;

/// Why an operation failed, in a form that a person can act on.
///
/// @param cause the kind of failure
/// @param reason a sentence for people: what was tried, what the response was, what to do
/// @param webhook the admission webhook that could not be reached, if that was the cause
public record Failure(Cause cause, String reason, Optional<String> webhook) {
  /// Creates a failure without a webhook, or with a webhook of unknown name.
  public Failure(Cause cause, String reason) {
    this(cause, reason, Optional.empty());
  }

  /// The cause of a failure. A retryable failure may pass by itself.
  public enum Cause {
    /// The document in the feed is not a policy that the agent can apply.
    UNREADABLE(false),
    KIND_ABSENT(false),
    KIND_EXCLUDED(false),
    /// An admission webhook denied the write.
    DENIED(false),
    /// The API server rejected the content: schema, enum, name.
    INVALID(false),
    /// RBAC or a quota forbids the write.
    FORBIDDEN(false),
    /// The namespace or the object does not exist.
    NOT_FOUND(false),
    /// Other writers kept changing the object at the same time.
    CONFLICT(true),
    /// The API server rejected the token.
    UNAUTHORIZED(true),
    WEBHOOK_UNREACHABLE(true),
    /// The API server is overloaded or starting.
    OVERLOADED(true),
    /// No response arrived in time, or the connection broke.
    UNREACHABLE(true),
    /// The run had to end before the request was sent, so nothing was changed.
    NOT_SENT(true),
    /// The API server failed, or sent an unexpected response.
    SERVER_ERROR(true),
    /// The policy, its namespace or its kind is still being deleted.
    TERMINATING(true);

    private final boolean retryable;

    Cause(boolean retryable) {
      this.retryable = retryable;
    }
  }

  /// Returns whether a later attempt may succeed without a change by a person.
  public boolean retryable() {
    return cause.retryable;
  }
}
