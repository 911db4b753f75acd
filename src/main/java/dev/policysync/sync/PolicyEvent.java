package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.util.Optional;

/// An Event for the cluster's users: one line of `kubectl get events`.
///
/// @param policy the policy of the Event, if it is about one
/// @param note the text: `ClusterPolicy/team-label: applied (new)`
public record PolicyEvent(Reason reason, Optional<PolicyId> policy, String note) {

  /// The reason of an Event, for filtering Events.
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

    /// Returns the attempted action: `Apply`.
    public String action() {
      return action;
    }

    public boolean warning() {
      return warning;
    }

    /// Returns whether the reason is a lasting condition. Its Event is repeated from time to time
    /// while the condition lasts; all other Events happen once.
    public boolean lasts() {
      return warning;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
