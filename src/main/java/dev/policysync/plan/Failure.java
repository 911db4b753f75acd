package dev.policysync.plan;

import java.util.Optional;

/// Why something could not be done, in a form that can be acted on.
///
/// @param cause what kind of failure
/// @param reason a sentence for people: what was tried, what came back, what to do
/// @param webhook which admission webhook could not be reached, where that is why
public record Failure(Cause cause, String reason, Optional<String> webhook) {
  /// One that no webhook caused, or none whose name is known.
  public Failure(Cause cause, String reason) {
    this(cause, reason, Optional.empty());
  }

  /// The kinds of failure, and which of them may pass by themselves.
  public enum Cause {
    /// The document in the feed is no policy we can apply.
    UNREADABLE(false),
    /// The cluster does not have the kind.
    KIND_ABSENT(false),
    /// The settings take its kind out of this agent's business.
    KIND_EXCLUDED(false),
    /// An admission webhook refused it.
    DENIED(false),
    /// The API server refused the content: schema, enum, name.
    INVALID(false),
    /// RBAC forbids it, or a quota.
    FORBIDDEN(false),
    /// The namespace or the object is not there.
    NOT_FOUND(false),
    /// Somebody else wrote at the same time, again and again.
    CONFLICT(true),
    /// The token was refused.
    UNAUTHORIZED(true),
    /// An admission webhook could not be reached.
    WEBHOOK_UNREACHABLE(true),
    /// The API server is overloaded or starting.
    OVERLOADED(true),
    /// No answer in time, or the connection broke.
    UNREACHABLE(true),
    /// The run had to end before it was sent; certainly nothing was done.
    NOT_SENT(true),
    /// The API server failed, or answered something unheard of.
    SERVER_ERROR(true),
    /// The policy, its namespace or its kind is being deleted and not yet gone.
    TERMINATING(true);

    private final boolean retryable;

    Cause(boolean retryable) {
      this.retryable = retryable;
    }
  }

  /// Whether the same attempt may succeed later without anyone's help.
  public boolean retryable() {
    return cause.retryable;
  }
}
