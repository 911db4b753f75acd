package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All policies that are expected together: what an exception or a binding names should be among
/// them.
public final class PolicySet {
  private final Map<PolicyKind, List<LintedPolicy>> byKind = new EnumMap<>(PolicyKind.class);
  private final Map<PolicyId, LintedPolicy> byId = new HashMap<>();

  /// @param policies may have several of one identity, of which the first is found
  PolicySet(List<LintedPolicy> policies) {
    for (var policy : policies) {
      byKind.computeIfAbsent(policy.kind(), _ -> new ArrayList<>()).add(policy);
      byId.putIfAbsent(policy.id(), policy);
    }
  }

  /// Those of that kind, in the order of the feed.
  public Stream<LintedPolicy> ofKind(PolicyKind kind) {
    return byKind.getOrDefault(kind, List.of()).stream();
  }

  /// The one of that identity.
  public Optional<LintedPolicy> find(PolicyId id) {
    return Optional.ofNullable(byId.get(id));
  }
}
