package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.List;
import java.util.Optional;

/// What became of one policy: its successors, or why there are none. A policy is converted whole or
/// not at all, so that nobody loses a rule by replacing it.
///
/// @param successors one or several for each rule, in the order of the rules
public record Conversion(LocatedPolicy policy, List<Successor> successors, List<Refusal> refusals) {
  public Conversion {
    successors = List.copyOf(successors);
    refusals = List.copyOf(refusals);
    if (successors.isEmpty() == refusals.isEmpty()) {
      throw new IllegalStateException("neither converted nor refused, or both: " + policy.id());
    }
  }

  /// One policy that takes the place of a rule, or of an exception.
  ///
  /// @param rule the name of that rule; empty for an exception
  /// @param scopes which of the rules that Kyverno makes of it
  /// @param manifest of the policy
  public record Successor(String rule, List<RuleScope> scopes, Value.Mapping manifest) {
    public Successor {
      scopes = List.copyOf(scopes);
    }

    /// The same with another manifest.
    public Successor with(Value.Mapping other) {
      return new Successor(rule, scopes, other);
    }

    /// What names it in a cluster.
    public PolicyId id() {
      var apiVersion = manifest.text("apiVersion").orElse("");
      var group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
      var kind = PolicyKind.of(group, manifest.text("kind").orElse("")).orElseThrow();
      return new PolicyId(
          kind,
          kind.namespaced() ? manifest.mapping("metadata").text("namespace") : Optional.empty(),
          name());
    }

    /// Its name.
    public String name() {
      return manifest.mapping("metadata").text("name").orElse("");
    }
  }

  /// Whether it has successors.
  public boolean converted() {
    return refusals.isEmpty();
  }
}
