package dev.policysync.sync.analysis;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.Succession;
import java.util.List;
import java.util.Optional;

/// What would become of a policy that Kyverno 1.20 no longer executes: `ValidatingPolicy/names`, or
/// why it has no successor.
///
/// @param successors that take its place together; none if anything is refused
/// @param progress how far that has come, where successors are applied
public record PolicyConversion(
    PolicyId policy,
    List<Successor> successors,
    List<Refusal> refusals,
    Optional<Progress> progress) {
  /// The first release of Kyverno that does not execute the policy itself.
  public static final String UNSUPPORTED_FROM = "1.20";

  public PolicyConversion {
    successors = List.copyOf(successors);
    refusals = List.copyOf(refusals);
    if (successors.isEmpty() == refusals.isEmpty()) {
      throw new IllegalStateException("neither converted nor refused, or both: " + policy);
    }
  }

  /// One of which nothing is applied.
  public PolicyConversion(PolicyId policy, List<Successor> successors, List<Refusal> refusals) {
    this(policy, successors, refusals, Optional.empty());
  }

  /// Whether it has successors.
  public boolean converted() {
    return refusals.isEmpty();
  }

  /// The same, refused.
  public PolicyConversion refusing(Refusal refusal) {
    return new PolicyConversion(policy, List.of(), List.of(refusal));
  }

  /// The same, applied as far as that.
  public PolicyConversion at(Progress now) {
    return new PolicyConversion(policy, successors, refusals, Optional.of(now));
  }

  /// A policy that takes the place of one rule, perhaps with others.
  ///
  /// @param rule that rule's name
  /// @param manifest what it says
  public record Successor(PolicyId id, String rule, Value.Mapping manifest) {}

  /// How far a policy's successors have come.
  ///
  /// @param reason what they wait for, in words; empty where they wait for nothing
  /// @param differs whether they wait because they judge otherwise, which no time will change
  public record Progress(Succession.Stage stage, String reason, boolean differs) {}

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
