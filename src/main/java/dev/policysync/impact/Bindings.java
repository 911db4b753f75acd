package dev.policysync.impact;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Optional;

/// Judges ValidatingAdmissionPolicyBindings: they say what is done to requests that break the
/// policy that they bind.
final class Bindings {
  private static final Optional<String> WHOLE = Optional.empty();

  private Bindings() {}

  /// The policy that it binds; itself where it names none.
  static PolicyId bound(PolicyId binding, Value.Mapping object) {
    return object
        .mapping("spec")
        .text("policyName")
        .filter(name -> !name.isEmpty())
        .map(name -> PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, name))
        .orElse(binding);
  }

  static List<Reason> judge(Value.Mapping before, Value.Mapping after) {
    var was = Defaults.without(before.mapping("spec"));
    var is = Defaults.without(after.mapping("spec"));
    var denied = Rulings.ofActions(was).blocksSomewhere();
    var denies = Rulings.ofActions(is).blocksSomewhere();
    var reasons = new Reasons();
    if (before.fields().isEmpty()) {
      if (denies) {
        // The policy that it binds may well have been evaluated before.
        reasons.add(Direction.TIGHTENS, WHOLE, "new, with Deny", Evidence.REPORTS);
      }
      return reasons.all();
    }
    if (after.fields().isEmpty()) {
      if (denied) {
        reasons.add(Direction.LOOSENS, WHOLE, "removed, it was Deny", Evidence.NOT_NEEDED);
      }
      return reasons.all();
    }
    reasons.ruling(WHOLE, Rulings.ofActions(was), Rulings.ofActions(is));
    if (denies) {
      reasons.changed(WHOLE, "policyName", field(was, "policyName"), field(is, "policyName"));
      reasons.changed(WHOLE, "paramRef", field(was, "paramRef"), field(is, "paramRef"));
      var limits = new Reasons();
      CelPolicies.constraints(was.mapping("matchResources"), is.mapping("matchResources"), limits);
      reasons.addAll(limits, denied);
    }
    return reasons.all();
  }

  private static Value field(Value.Mapping spec, String name) {
    return spec.field(name).orElse(Value.Null.NULL);
  }
}
