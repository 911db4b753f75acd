package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.List;

/// What would become of a policy that Kyverno 1.20 no longer executes: `ValidatingPolicy/names`, or
/// why it has no successor.
///
/// @param successors that would take its place together; none if anything is refused
public record PolicyConversion(PolicyId policy, List<PolicyId> successors, List<Refusal> refusals) {
  /// The first release of Kyverno that does not execute the policy itself.
  public static final String UNSUPPORTED_FROM = "1.20";

  public PolicyConversion {
    successors = List.copyOf(successors);
    refusals = List.copyOf(refusals);
    if (successors.isEmpty() == refusals.isEmpty()) {
      throw new IllegalStateException("neither converted nor refused, or both: " + policy);
    }
  }

  /// Whether it has successors.
  public boolean converted() {
    return refusals.isEmpty();
  }

  /// Something in a policy that has no exact successor.
  ///
  /// @param rule the rule's name; empty where it is about the whole policy
  /// @param construct what it is, without any of the policy's content: `a variable in a pattern`
  /// @param advice what to write by hand
  public record Refusal(String rule, Position position, String construct, String advice) {
    /// `feed:12:19: rule prefix: a variable in a pattern cannot be converted: compare …`.
    @Override
    public String toString() {
      return position.source()
          + ":"
          + position.line()
          + ":"
          + position.column()
          + ": "
          + (rule.isEmpty() ? "" : "rule " + rule + ": ")
          + construct
          + " cannot be converted: "
          + advice;
    }
  }
}
