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
  /// @param objection why what was consented to does not count
  record Missing(Digest list, Optional<String> objection) implements ApprovalState {}

  /// Somebody did.
  record Given(Approval approval) implements ApprovalState {}

  /// Somebody consented to whatever this feed asks for.
  record GivenToFeed(ApprovedFeed approvedFeed) implements ApprovalState {}

  /// Whether a person consented.
  default boolean given() {
    return this instanceof Given || this instanceof GivenToFeed;
  }
}
