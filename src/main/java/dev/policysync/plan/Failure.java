package dev.policysync.plan;

import java.util.Optional;

/// Why an operation failed, in a form that a person can act on.
///
/// @param cause the kind of failure
/// @param reason a sentence for people: what was tried, what came back, what to do
/// @param webhook the admission webhook that could not be reached, if that is the reason
public record Failure(Cause cause, String reason, Optional<String> webhook) {
  /// Creates a failure without a webhook, or with a webhook of unknown name.
  public Failure(Cause cause, String reason) {
    this(cause, reason, Optional.empty());
  }

  /// The kinds of failure. A retryable one may pass without help.
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
    /// Another writer changed the object at the same time, again and again.
    CONFLICT(true),
    /// The API server rejected the token.
    UNAUTHORIZED(true),
    WEBHOOK_UNREACHABLE(true),
    /// The API server is overloaded or starting.
    OVERLOADED(true),
    /// No answer arrived in time, or the connection broke.
    UNREACHABLE(true),
    /// The run had to end before the request was sent; certainly nothing was changed.
    NOT_SENT(true),
    /// The API server failed, or sent an unexpected answer.
    SERVER_ERROR(true),
    /// The policy, its namespace or its kind is still being deleted.
    TERMINATING(true);

    private final boolean retryable;

    Cause(boolean retryable) {
      this.retryable = retryable;
    }
  }

  /// Returns whether the same attempt may succeed later without help.
  public boolean retryable() {
    return cause.retryable;
  }
}
