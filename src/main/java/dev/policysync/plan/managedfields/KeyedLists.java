package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.util.HashSet;
import java.util.Set;

/// The lists of our kinds that are sets, or whose items are identified by a key; all other lists
/// are atomic. Managed fields contain nothing about such a list while it is empty: it has no items,
/// and no path of its own. Source: the published schemas of Kubernetes 1.36.3 and Kyverno 1.19.0.
public final class KeyedLists {
  private static final Set<String> IN_METADATA = Set.of("finalizers", "ownerReferences");

  private KeyedLists() {}

  static Set<String> in(Value.Mapping object) {
    var all = new HashSet<>(IN_METADATA);
    PolicyKind.of(object).ifPresent(kind -> all.addAll(of(kind)));
    return all;
  }

  /// Returns the names of such lists in the spec of the kind.
  public static Set<String> of(PolicyKind kind) {
    return switch (kind.type()) {
      case VALIDATING -> Set.of("matchConditions", "validationActions", "variables");
      case MUTATING -> Set.of("matchConditions", "targetMatchConditions", "variables");
      case GENERATING, VALIDATING_ADMISSION -> Set.of("matchConditions", "variables");
      case DELETING -> Set.of("conditions", "variables");
      case IMAGE_VALIDATING, VALIDATING_BINDING -> Set.of("validationActions");
      case MUTATING_ADMISSION -> Set.of("matchConditions");
      case RULES, CLEANUP, MUTATING_BINDING, RULE_EXCEPTION, CEL_POLICY_EXCEPTION, CONTEXT_ENTRY ->
          Set.of();
    };
  }
}
