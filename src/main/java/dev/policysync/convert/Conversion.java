package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.List;
import java.util.Optional;

/// The result of converting one policy: its successors, or the reasons why there are none. A policy
/// is converted as a whole or not at all, so that replacing it never loses a rule.
///
/// @param successors one or more for each rule, in the order of the rules
public record Conversion(LocatedPolicy policy, List<Successor> successors, List<Refusal> refusals) {
  public Conversion {
    successors = List.copyOf(successors);
    refusals = List.copyOf(refusals);
    if (successors.isEmpty() == refusals.isEmpty()) {
      throw new IllegalStateException("neither converted nor refused, or both: " + policy.id());
    }
  }

  /// A policy that takes the place of one rule, or of an exception.
  ///
  /// @param rule the name of the rule; empty for an exception
  /// @param scopes the scopes of the rule that this policy covers: the written rule, rules of
  ///   autogen
  /// @param manifest the manifest of this policy
  public record Successor(String rule, List<RuleScope> scopes, Value.Mapping manifest) {
    public Successor {
      scopes = List.copyOf(scopes);
    }

    public Successor with(Value.Mapping other) {
      return new Successor(rule, scopes, other);
    }

    public PolicyId id() {
      var apiVersion = manifest.text("apiVersion").orElse("");
      var group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
      var kind = PolicyKind.of(group, manifest.text("kind").orElse("")).orElseThrow();
      return new PolicyId(
          kind,
          kind.namespaced() ? manifest.mapping("metadata").text("namespace") : Optional.empty(),
          name());
    }

    public String name() {
      return manifest.mapping("metadata").text("name").orElse("");
    }
  }

  public boolean converted() {
    return refusals.isEmpty();
  }
}
