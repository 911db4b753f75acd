package dev.policysync.impact;

import dev.policysync.json.Value;
import dev.policysync.kyverno.EffectiveActionResolver;
import dev.policysync.kyverno.RelatedPolicies;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Optional;

/// Judges what a write does to requests, by the object before and after it. Pure and total.
public final class ImpactEvaluator {
  private ImpactEvaluator() {}

  /// Whether anything of that kind blocks requests, or keeps others from it.
  public static boolean judges(PolicyKind kind) {
    return switch (kind) {
      case CLUSTER_POLICY,
          NAMESPACED_POLICY,
          VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY,
          VALIDATING_ADMISSION_POLICY,
          VALIDATING_ADMISSION_POLICY_BINDING,
          KYVERNO_EXCEPTION,
          CEL_EXCEPTION ->
          true;
      case CLUSTER_CLEANUP_POLICY,
          CLEANUP_POLICY,
          GLOBAL_CONTEXT_ENTRY,
          MUTATING_POLICY,
          GENERATING_POLICY,
          DELETING_POLICY,
          NAMESPACED_MUTATING_POLICY,
          NAMESPACED_GENERATING_POLICY,
          NAMESPACED_DELETING_POLICY,
          MUTATING_ADMISSION_POLICY,
          MUTATING_ADMISSION_POLICY_BINDING ->
          false;
    };
  }

  /// What turning one object into the other does; without fields is what is not there.
  public static Impact of(
      PolicyId id, Value.Mapping before, Value.Mapping after, RelatedPolicies relatedPolicies) {
    if (before.fields().isEmpty() && after.fields().isEmpty()) {
      // It is to be removed, and went by itself.
      return Impact.of(id, List.of());
    }
    return switch (id.kind()) {
      case CLUSTER_POLICY, NAMESPACED_POLICY ->
          Impact.of(id, RulePolicyEvaluator.judge(id, before, after));
      case VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY ->
          Impact.of(
              id,
              CelPolicyEvaluator.judge(
                  before,
                  after,
                  EffectiveActionResolver.ofActions(before.mapping("spec")),
                  EffectiveActionResolver.ofActions(after.mapping("spec"))));
      case VALIDATING_ADMISSION_POLICY -> {
        var effectiveAction = relatedPolicies.ofBindings(id.name());
        yield Impact.of(
            id, CelPolicyEvaluator.judge(before, after, effectiveAction, effectiveAction));
      }
      case VALIDATING_ADMISSION_POLICY_BINDING ->
          new Impact(
              id,
              BindingEvaluator.bound(id, after.fields().isEmpty() ? before : after),
              BindingEvaluator.judge(before, after));
      case KYVERNO_EXCEPTION, CEL_EXCEPTION ->
          Impact.of(id, ExceptionEvaluator.judge(id, before, after, relatedPolicies));
      case CLUSTER_CLEANUP_POLICY,
          CLEANUP_POLICY,
          GLOBAL_CONTEXT_ENTRY,
          MUTATING_POLICY,
          GENERATING_POLICY,
          DELETING_POLICY,
          NAMESPACED_MUTATING_POLICY,
          NAMESPACED_GENERATING_POLICY,
          NAMESPACED_DELETING_POLICY,
          MUTATING_ADMISSION_POLICY,
          MUTATING_ADMISSION_POLICY_BINDING ->
          Impact.of(id, List.of());
    };
  }

  /// What can be said of a write where the object that it changes could not be read.
  public static Impact unreadable(PolicyId id, String why) {
    return Impact.of(
        id,
        List.of(
            ImpactReason.of(
                Direction.CHANGED,
                Optional.empty(),
                "what it was could not be read: " + why,
                ReportCoverage.NONE)));
  }
}
