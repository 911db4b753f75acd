package dev.policysync.singlefault;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;

/// What a request asks for or writes, and what somebody else's change changes.
sealed interface Subject {
  /// All policies of a kind.
  record OfKind(PolicyKind kind) implements Subject {}

  record One(PolicyId id) implements Subject {}

  enum Other implements Subject {
    FEED,
    /// The Lease with the run state and the approvals.
    LEASE,
    /// Which kinds there are.
    DISCOVERY,
    /// Reports, which nobody changes in the middle of a run.
    REPORTS,
    STATUSES
  }

  /// Whether a change to that policy may change the answer to a request about this, or this one's
  /// write may meet it.
  default boolean concerns(PolicyId policy) {
    return switch (this) {
      case OfKind(var kind) -> kind == policy.kind();
      case One(var id) -> id.equals(policy);
      case Other other -> other == Other.DISCOVERY;
    };
  }

  /// Whether a change to any policy of that kind may do so.
  default boolean concerns(PolicyKind changed) {
    return switch (this) {
      case OfKind(var kind) -> kind == changed;
      case One(var id) -> id.kind() == changed;
      case Other other -> other == Other.DISCOVERY;
    };
  }
}
