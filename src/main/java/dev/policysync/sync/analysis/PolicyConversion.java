package dev.policysync.sync.analysis;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.Succession;
import java.util.List;
import java.util.Optional;

/// The conversion of a policy that Kyverno 1.20 no longer executes: its successors, such as
/// `ValidatingPolicy/names`, or the reasons why it has none.
///
/// @param successors the policies that together replace it; empty if any part is refused
/// @param progress how far the succession has progressed, if successors are applied
public record PolicyConversion(
    PolicyId policy,
    List<Successor> successors,
    List<Refusal> refusals,
    Optional<Progress> progress) {
  /// The first release of Kyverno that does not execute the original policy.
  public static final String UNSUPPORTED_FROM = "1.20";

  public PolicyConversion {
    successors = List.copyOf(successors);
    refusals = List.copyOf(refusals);
    if (successors.isEmpty() == refusals.isEmpty()) {
      throw new IllegalStateException("neither converted nor refused, or both: " + policy);
    }
  }

  public PolicyConversion(PolicyId policy, List<Successor> successors, List<Refusal> refusals) {
    this(policy, successors, refusals, Optional.empty());
  }

  public boolean converted() {
    return refusals.isEmpty();
  }

  /// Returns whether successors are applied. The policy alone is applied where it has none, or
  /// where it is not ours yet.
  public boolean moves() {
    return progress.isPresent();
  }

  public PolicyConversion refusing(Refusal refusal) {
    return new PolicyConversion(policy, List.of(), List.of(refusal));
  }

  public PolicyConversion at(Progress now) {
    return new PolicyConversion(policy, successors, refusals, Optional.of(now));
  }

  /// A policy that replaces one rule, possibly together with other successors.
  ///
  /// @param rule the name of that rule
  /// @param manifest the content of the successor
  public record Successor(PolicyId id, String rule, Value.Mapping manifest) {}

  /// How far the succession of a policy has progressed.
  ///
  /// @param reason what the successors wait for, in words; empty if they wait for nothing
  /// @param differs whether they wait because their verdicts differ, which time alone does not
  ///   change
  public record Progress(Succession.Stage stage, String reason, boolean differs) {}

  /// A part of a policy that has no exact successor.
  ///
  /// @param rule the name of the rule; empty for the whole policy
  /// @param construct a description without any of the policy's content: `a variable in a pattern`
  /// @param advice what to write by hand
  public record Refusal(String rule, Position position, String construct, String advice) {
    /// Returns for example `feed:12:19: rule prefix: a variable in a pattern cannot be converted:
    /// compare …`.
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
