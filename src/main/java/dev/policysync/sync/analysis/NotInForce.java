package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import java.util.List;

/// A policy of ours that is as the feed wants it and that nothing executes (promise 15).
///
/// @param reason in words: `Kyverno reports: Policy is not configured in the webhook.`
public record NotInForce(PolicyId id, Cause cause, String reason) {
  /// Whether none of them is of a kind that the installed release does not execute.
  public static boolean noneByRelease(List<NotInForce> found) {
    return found.stream().noneMatch(policy -> policy.cause() == Cause.RELEASE);
  }

  /// What keeps it from being executed.
  public enum Cause {
    /// Kyverno is not ready to.
    NOT_READY,

    /// Kyverno does not run.
    NO_KYVERNO,

    /// The installed release does not execute the kind. Nothing in the policy shows it.
    RELEASE
  }
}
