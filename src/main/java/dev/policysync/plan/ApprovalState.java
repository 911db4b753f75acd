package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.ApprovedFeed;
import java.util.Optional;

/// Whether actions of a plan need a person's approval, and have it.
public sealed interface ApprovalState {
  /// No approval is needed: there are no such actions, or too few of them, or a person could not
  /// approve them.
  record NotNeeded() implements ApprovalState {}

  /// The actions are withheld until a person approves them.
  ///
  /// @param list the digest to approve
  /// @param other an approval that was given but is void
  record Missing(Digest list, Optional<Approval> other) implements ApprovalState {
    /// Returns why the given approval is void.
    public Optional<String> objection() {
      return other.flatMap(approval -> approval.objection(list));
    }
  }

  /// An approval was given but is no longer needed: the actions that it names are no longer
  /// requested.
  record Ended(Approval approval) implements ApprovalState {}

  record Given(Approval approval) implements ApprovalState {}

  /// A person approved everything that this feed requests.
  record GivenToFeed(ApprovedFeed approvedFeed) implements ApprovalState {}

  /// Returns the approval that ends with this plan, because its list is no longer requested. If the
  /// approval stayed, it would cover the same list again if a later feed requested it.
  default Optional<Approval> ended() {
    return switch (this) {
      case Ended(var approval) -> Optional.of(approval);
      case Missing(var list, var other) ->
          other.filter(approval -> !approval.list().equals(list.text()));
      case NotNeeded _, Given _, GivenToFeed _ -> Optional.empty();
    };
  }

  default boolean given() {
    return this instanceof Given || this instanceof GivenToFeed;
  }
}
