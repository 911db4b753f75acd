package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.SchemaDefaults;
import java.util.List;
import java.util.Optional;

/// Evaluates changes of admission policy bindings. The binding of a ValidatingAdmissionPolicy sets
/// the action for requests that violate the policy. Both kinds of binding set what happens to a
/// request if a parameter is missing.
final class BindingEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();
  private static final String NOT_FOUND = "parameterNotFoundAction";

  private BindingEvaluator() {}

  /// Returns the policy that the binding names; the binding's own id if it names none.
  static PolicyId bound(PolicyId binding, Value.Mapping object) {
    return object
        .mapping("spec")
        .text("policyName")
        .filter(name -> !name.isEmpty())
        .map(name -> PolicyId.of(policies(binding.kind()), name))
        .orElse(binding);
  }

  private static PolicyKind policies(PolicyKind bindings) {
    return bindings.type() == PolicyKind.Type.MUTATING_BINDING
        ? PolicyKind.MUTATING_ADMISSION_POLICY
        : PolicyKind.VALIDATING_ADMISSION_POLICY;
  }

  /// Evaluates a binding of a policy that does not itself reject violations.
  static List<ImpactReason> parameters(Value.Mapping before, Value.Mapping after) {
    var impactReasons = new ImpactReasons();
    missingParameter(before, after, impactReasons);
    return impactReasons.all();
  }

  /// Adds the effect of a missing parameter. A binding with parameters and without this field means
  /// `Deny`; a binding without parameters cannot lack one. The policy's failurePolicy also matters;
  /// it counts as Fail here, because the policy may not be ours.
  private static void missingParameter(
      Value.Mapping before, Value.Mapping after, ImpactReasons impactReasons) {
    var refused = refusesWithoutParameter(before);
    var refuses = refusesWithoutParameter(after);
    if (!refused && refuses) {
      impactReasons.add(
          Direction.TIGHTENS,
          WHOLE,
          "parameterNotFoundAction Deny: requests without a parameter are rejected",
          ReportCoverage.NONE);
    } else if (refused && !refuses && !after.fields().isEmpty()) {
      impactReasons.add(
          Direction.LOOSENS,
          WHOLE,
          "no parameterNotFoundAction Deny: requests without a parameter are allowed",
          ReportCoverage.NOT_NEEDED);
    }
  }

  private static boolean refusesWithoutParameter(Value.Mapping binding) {
    var paramRef = binding.mapping("spec").mapping("paramRef");
    return !paramRef.fields().isEmpty() && !paramRef.text(NOT_FOUND).orElse("Deny").equals("Allow");
  }

  static List<ImpactReason> judge(Value.Mapping before, Value.Mapping after) {
    var was = SchemaDefaults.removeFrom(before.mapping("spec"));
    var is = SchemaDefaults.removeFrom(after.mapping("spec"));
    var denied = EffectiveActionResolver.ofActions(was).blocksSomewhere();
    var denies = EffectiveActionResolver.ofActions(is).blocksSomewhere();
    var impactReasons = new ImpactReasons();
    if (before.fields().isEmpty()) {
      if (denies) {
        // The bound policy may have been evaluated before.
        impactReasons.add(Direction.TIGHTENS, WHOLE, "new with Deny", ReportCoverage.REPORTS);
      } else {
        missingParameter(before, after, impactReasons);
      }
      return impactReasons.all();
    }
    if (after.fields().isEmpty()) {
      if (denied) {
        impactReasons.add(Direction.LOOSENS, WHOLE, "removed, was Deny", ReportCoverage.NOT_NEEDED);
      }
      return impactReasons.all();
    }
    missingParameter(before, after, impactReasons);
    impactReasons.action(
        WHOLE, EffectiveActionResolver.ofActions(was), EffectiveActionResolver.ofActions(is));
    if (denies) {
      impactReasons.changed(WHOLE, "policyName", field(was, "policyName"), field(is, "policyName"));
      impactReasons.changed(WHOLE, "paramRef", parameters(was), parameters(is));
      var limits = new ImpactReasons();
      CelPolicyEvaluator.constraints(
          was.mapping("matchResources"), is.mapping("matchResources"), limits);
      impactReasons.addAll(limits, denied);
    }
    return impactReasons.all();
  }

  private static Value parameters(Value.Mapping spec) {
    return spec.mapping("paramRef").without(NOT_FOUND);
  }

  private static Value field(Value.Mapping spec, String name) {
    return spec.field(name).orElse(Value.Null.NULL);
  }
}
