package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All policies that are expected together: what an exception or a binding names should be among
/// them.
public final class PolicySet {
  private final List<LintedPolicy> policies;
  private final Map<PolicyId, LintedPolicy> byId = new HashMap<>();

  /// @param policies may have several of one identity, of which the first is found
  PolicySet(List<LintedPolicy> policies) {
    this.policies = List.copyOf(policies);
    policies.forEach(policy -> byId.putIfAbsent(policy.id(), policy));
  }

  /// Those of that kind, in the order of the feed.
  public Stream<LintedPolicy> ofKind(PolicyKind kind) {
    return policies.stream().filter(policy -> policy.kind() == kind);
  }

  /// The one of that identity.
  public Optional<LintedPolicy> find(PolicyId id) {
    return Optional.ofNullable(byId.get(id));
  }
}
