package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.RelatedPolicies;
import java.util.List;
import java.util.Optional;

/// Evaluates the effect of a write on requests, from the object before and after the write. Pure
/// and total.
public final class ImpactEvaluator {
  private ImpactEvaluator() {}

  /// Returns whether a write of this kind can have an impact. Other kinds reject no requests.
  public static boolean judges(PolicyKind kind) {
    return switch (kind.type()) {
      case RULES,
          VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          VALIDATING_ADMISSION,
          MUTATING_ADMISSION,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION ->
          true;
      case CLEANUP, CONTEXT_ENTRY, DELETING -> false;
    };
  }

  /// Returns whether a policy of this kind blocks requests that violate it, or changes which
  /// requests another policy blocks. A policy that mutates or generates rejects a request only if
  /// its own evaluation fails.
  public static boolean judgesAll(PolicyKind kind) {
    return switch (kind.type()) {
      case RULES,
          VALIDATING,
          IMAGE_VALIDATING,
          VALIDATING_ADMISSION,
          VALIDATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION ->
          true;
      case CLEANUP,
          CONTEXT_ENTRY,
          MUTATING,
          GENERATING,
          DELETING,
          MUTATING_ADMISSION,
          MUTATING_BINDING ->
          false;
    };
  }

  /// Returns the impact of the change from one object to the other. An object without fields means
  /// that there is no object.
  public static Impact of(
      PolicyId id, Value.Mapping before, Value.Mapping after, RelatedPolicies relatedPolicies) {
    if (before.fields().isEmpty() && after.fields().isEmpty()) {
      // The object was to be removed, and is already gone.
      return Impact.of(id, List.of());
    }
    return switch (id.kind().type()) {
      case RULES -> Impact.of(id, RulePolicyEvaluator.judge(id, before, after));
      case VALIDATING, IMAGE_VALIDATING ->
          Impact.of(
              id,
              CelPolicyEvaluator.judge(
                  id.kind().type(),
                  before,
                  after,
                  EffectiveActionResolver.ofActions(before.mapping("spec")),
                  EffectiveActionResolver.ofActions(after.mapping("spec"))));
      case VALIDATING_ADMISSION -> {
        var effectiveAction = relatedPolicies.ofBindings(id.name());
        yield Impact.of(
            id,
            CelPolicyEvaluator.judge(
                id.kind().type(), before, after, effectiveAction, effectiveAction));
      }
      case VALIDATING_BINDING ->
          new Impact(
              id,
              BindingEvaluator.bound(id, after.fields().isEmpty() ? before : after),
              BindingEvaluator.judge(before, after));
      case RULE_EXCEPTION, CEL_POLICY_EXCEPTION ->
          Impact.of(id, ExceptionEvaluator.judge(id, before, after, relatedPolicies));
      case MUTATING, GENERATING, MUTATING_ADMISSION ->
          Impact.of(id, CelPolicyEvaluator.failures(id.kind().type(), before, after));
      case MUTATING_BINDING ->
          new Impact(
              id,
              BindingEvaluator.bound(id, after.fields().isEmpty() ? before : after),
              BindingEvaluator.parameters(before, after));
      case CLEANUP, CONTEXT_ENTRY, DELETING -> Impact.of(id, List.of());
    };
  }

  public static Impact unreadable(PolicyId id, String why) {
    return Impact.of(
        id,
        List.of(
            ImpactReason.of(
                Direction.CHANGED,
                Optional.empty(),
                "the previous version could not be read: " + why,
                ReportCoverage.NONE)));
  }
}
