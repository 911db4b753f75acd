package dev.policysync.plan;

import dev.policysync.policy.Digest;
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
}
