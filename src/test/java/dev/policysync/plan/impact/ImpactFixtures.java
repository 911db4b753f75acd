package dev.policysync.plan.impact;

import static dev.policysync.policy.PolicyFixtures.json;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.RelatedPolicies;
import java.util.List;

/// Impacts for tests, and how they read.
final class ImpactFixtures {
  private ImpactFixtures() {}

  /// Of turning one object into the other, with no others around.
  static Impact impact(PolicyId id, String before, String after) {
    return ImpactEvaluator.of(id, json(before), json(after), RelatedPolicies.NONE);
  }

  /// Its reasons: `tightens rule r: Audit → Enforce`.
  static List<String> judged(PolicyId id, String before, String after) {
    return texts(impact(id, before, after));
  }

  /// Its reasons: `tightens rule r: Audit → Enforce`.
  static List<String> texts(Impact impact) {
    return impact.reasons().stream()
        .map(impactReason -> impactReason.direction() + " " + impactReason)
        .toList();
  }
}
