package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import java.util.List;

/// A policy of ours that is in sync and not executed (promise 15).
///
/// @param reason the reason in words: `Kyverno reports: Policy is not configured in the webhook.`
public record NotInForce(PolicyId id, Cause cause, String reason) {
  /// Returns whether every policy is of a kind that the installed release executes.
  public static boolean noneByRelease(List<NotInForce> found) {
    return found.stream().noneMatch(policy -> policy.cause() == Cause.RELEASE);
  }

  public enum Cause {
    NOT_READY,

    NO_KYVERNO,

    /// The installed release does not execute the kind. The policy itself does not show this.
    RELEASE
  }
}
