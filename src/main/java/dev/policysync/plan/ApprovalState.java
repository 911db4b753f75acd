package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.ApprovedFeed;
import java.util.Optional;

/// Whether a plan's removals need a person's consent, and have it.
public sealed interface ApprovalState {
  /// There are no removals, or not so many that anyone had to be asked, or nobody could consent to
  /// them.
  record NotNeeded() implements ApprovalState {}

  /// They are withheld until somebody consents.
  ///
  /// @param list the digest to consent to
  /// @param other what was consented to, and does not count
  record Missing(Digest list, Optional<Approval> other) implements ApprovalState {
    /// Why what was consented to does not count.
    public Optional<String> objection() {
      return other.flatMap(approval -> approval.objection(list));
    }
  }

  /// Nobody has to consent, and somebody once did: what that was given for is no longer asked for.
  record Ended(Approval approval) implements ApprovalState {}

  /// Somebody did.
  record Given(Approval approval) implements ApprovalState {}

  /// Somebody consented to whatever this feed asks for.
  record GivenToFeed(ApprovedFeed approvedFeed) implements ApprovalState {}

  /// The consent that ends with this plan: its list is no longer asked for, and would be valid for
  /// a list that another feed asks for tomorrow.
  default Optional<Approval> ended() {
    return switch (this) {
      case Ended(var approval) -> Optional.of(approval);
      case Missing(var list, var other) ->
          other.filter(approval -> !approval.list().equals(list.text()));
      case NotNeeded _, Given _, GivenToFeed _ -> Optional.empty();
    };
  }

  /// Whether a person consented.
  default boolean given() {
    return this instanceof Given || this instanceof GivenToFeed;
  }
}
