package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import java.util.List;

/// A policy of ours that is in sync and not executed (promise 15).
///
/// @param reason the reason in words: `Kyverno reports: Policy is not configured in the webhook.`
public record NotInForce(PolicyId id, Cause cause, String reason) {
  /// Returns whether the status of each policy shows why it is not in force. If not, a run that
  /// compares digests alone would not see it.
  public static boolean allShownByStatus(List<NotInForce> found) {
    return found.stream()
        .noneMatch(
            policy -> policy.cause() == Cause.RELEASE || policy.cause() == Cause.BREAKS_WEBHOOKS);
  }

  public enum Cause {
    NOT_READY,

    NO_KYVERNO,

    /// The installed release does not execute the kind. The policy itself does not show this.
    RELEASE,

    /// Kyverno cannot write its webhook configuration because of the policy, which has the status
    /// of one that is ready.
    BREAKS_WEBHOOKS
  }
}
