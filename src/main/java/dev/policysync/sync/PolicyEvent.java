package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.util.Optional;

/// What a cluster's users may want to know of a run: one line of `kubectl get events`.
///
/// @param policy which policy it is about, where it is about one
/// @param note in words: `ClusterPolicy/team-label: applied (new)`
public record PolicyEvent(Reason reason, Optional<PolicyId> policy, String note) {

  /// What happened, as events are searched for.
  public enum Reason {
    POLICY_FAILED("PolicyFailed", "Apply", true),
    REMOVAL_FAILED("PolicyFailed", "Remove", true),
    POLICY_CONFLICT("PolicyConflict", "Apply", true),
    NOT_IN_FORCE("PolicyNotInForce", "Check", true),
    POLICY_WITHHELD("PolicyWithheld", "Apply", true),
    REMOVAL_WITHHELD("RemovalWithheld", "Remove", true),
    POLICY_REMOVED("PolicyRemoved", "Remove", false),
    POLICY_UPDATED("PolicyUpdated", "Apply", false),
    POLICY_APPLIED("PolicyApplied", "Apply", false);

    private final String text;
    private final String action;
    private final boolean warning;

    Reason(String text, String action, boolean warning) {
      this.text = text;
      this.action = action;
      this.warning = warning;
    }

    /// `Apply`: what was tried.
    public String action() {
      return action;
    }

    /// Whether somebody should look at it.
    public boolean warning() {
      return warning;
    }

    /// Whether it is a state, which each run finds again: told again while it lasts, but not by
    /// each run. The others are done once.
    public boolean lasts() {
      return warning;
    }

    /// `PolicyFailed`.
    @Override
    public String toString() {
      return text;
    }
  }
}
