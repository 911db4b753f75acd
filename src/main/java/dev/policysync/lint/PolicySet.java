package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All policies that are expected together, among which rules look up the policies that an
/// exception or a binding references.
public final class PolicySet {
  private final Map<PolicyKind, List<LintedPolicy>> byKind = new EnumMap<>(PolicyKind.class);
  private final Map<PolicyId, LintedPolicy> byId = new HashMap<>();

  /// @param policies may contain several policies with one id; the first one is used
  PolicySet(List<LintedPolicy> policies) {
    for (var policy : policies) {
      byKind.computeIfAbsent(policy.kind(), _ -> new ArrayList<>()).add(policy);
      byId.putIfAbsent(policy.id(), policy);
    }
  }

  /// Returns the policies of a kind, in the order of the feed.
  public List<LintedPolicy> ofKind(PolicyKind kind) {
    return byKind.getOrDefault(kind, List.of());
  }

  public Optional<LintedPolicy> find(PolicyId id) {
    return Optional.ofNullable(byId.get(id));
  }
}
