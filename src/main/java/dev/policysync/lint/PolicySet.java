package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All policies that are expected together: what an exception or a binding names should be among
/// them.
public final class PolicySet {
  private final Map<PolicyId, LintedPolicy> policies = new LinkedHashMap<>();

  PolicySet(List<LintedPolicy> policies) {
    policies.forEach(policy -> this.policies.put(policy.id(), policy));
  }

  /// Those of that kind, in the order of the feed.
  public Stream<LintedPolicy> ofKind(PolicyKind kind) {
    return policies.values().stream().filter(policy -> policy.kind() == kind);
  }

  /// The one of that identity.
  public Optional<LintedPolicy> find(PolicyId id) {
    return Optional.ofNullable(policies.get(id));
  }
}
