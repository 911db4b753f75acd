package dev.policysync.impact;

import dev.policysync.json.Value;
import dev.policysync.kyverno.EffectiveActionResolver;
import dev.policysync.kyverno.SchemaDefaults;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Optional;

/// Judges ValidatingAdmissionPolicyBindings: they say what is done to requests that break the
/// policy that they bind.
final class BindingEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();

  private BindingEvaluator() {}

  /// The policy that it binds; itself where it names none.
  static PolicyId bound(PolicyId binding, Value.Mapping object) {
    return object
        .mapping("spec")
        .text("policyName")
        .filter(name -> !name.isEmpty())
        .map(name -> PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, name))
        .orElse(binding);
  }

  static List<ImpactReason> judge(Value.Mapping before, Value.Mapping after) {
    var was = SchemaDefaults.without(before.mapping("spec"));
    var is = SchemaDefaults.without(after.mapping("spec"));
    var denied = EffectiveActionResolver.ofActions(was).blocksSomewhere();
    var denies = EffectiveActionResolver.ofActions(is).blocksSomewhere();
    var impactReasons = new ImpactReasons();
    if (before.fields().isEmpty()) {
      if (denies) {
        // The policy that it binds may well have been evaluated before.
        impactReasons.add(Direction.TIGHTENS, WHOLE, "new with Deny", ReportCoverage.REPORTS);
      }
      return impactReasons.all();
    }
    if (after.fields().isEmpty()) {
      if (denied) {
        impactReasons.add(Direction.LOOSENS, WHOLE, "removed, was Deny", ReportCoverage.NOT_NEEDED);
      }
      return impactReasons.all();
    }
    impactReasons.action(
        WHOLE, EffectiveActionResolver.ofActions(was), EffectiveActionResolver.ofActions(is));
    if (denies) {
      impactReasons.changed(WHOLE, "policyName", field(was, "policyName"), field(is, "policyName"));
      impactReasons.changed(WHOLE, "paramRef", field(was, "paramRef"), field(is, "paramRef"));
      var limits = new ImpactReasons();
      CelPolicyEvaluator.constraints(
          was.mapping("matchResources"), is.mapping("matchResources"), limits);
      impactReasons.addAll(limits, denied);
    }
    return impactReasons.all();
  }

  private static Value field(Value.Mapping spec, String name) {
    return spec.field(name).orElse(Value.Null.NULL);
  }
}
