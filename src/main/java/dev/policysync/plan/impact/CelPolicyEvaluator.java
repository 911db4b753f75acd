package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.EffectiveAction;
import dev.policysync.policy.kyverno.SchemaDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Evaluates changes of the CEL kinds. They have no rules, so each change is one of the whole
/// policy.
final class CelPolicyEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();

  /// Fields that have a reason of their own, or do not affect which requests are blocked.
  private static final Set<String> NOT_DEMANDED =
      Set.of(
          "validationActions",
          "failurePolicy",
          "matchConstraints",
          "matchConditions",
          "validations",
          "evaluation",
          "webhookConfiguration",
          "auditAnnotations");

  private static final List<String> WORDS = List.of("message", "messageExpression", "reason");

  private CelPolicyEvaluator() {}

  /// @param actionBefore the action for requests that violate the policy before the write
  /// @param actionAfter the action after the write
  static List<ImpactReason> judge(
      PolicyKind.Type type,
      Value.Mapping before,
      Value.Mapping after,
      EffectiveAction actionBefore,
      EffectiveAction actionAfter) {
    var impactReasons = new ImpactReasons();
    if (before.fields().isEmpty()) {
      if (actionAfter.blocksSomewhere()) {
        impactReasons.add(Direction.TIGHTENS, WHOLE, "new with Deny", ReportCoverage.NONE);
      }
      return impactReasons.all();
    }
    if (after.fields().isEmpty()) {
      if (actionBefore.blocksSomewhere()) {
        impactReasons.add(Direction.LOOSENS, WHOLE, "removed, was Deny", ReportCoverage.NOT_NEEDED);
      }
      return impactReasons.all();
    }
    impactReasons.action(WHOLE, actionBefore, actionAfter);
    // For a missing parameter, the API server also rejects requests that a binding only audits.
    if (actionAfter.blocksSomewhere() || type == PolicyKind.Type.VALIDATING_ADMISSION) {
      impactReasons.failurePolicy(type, before.mapping("spec"), after.mapping("spec"));
    }
    if (!actionAfter.blocksSomewhere()) {
      return impactReasons.all();
    }
    var was = SchemaDefaults.removeFrom(before.mapping("spec"));
    var is = SchemaDefaults.removeFrom(after.mapping("spec"));
    var content = new ImpactReasons();
    constraints(was.mapping("matchConstraints"), is.mapping("matchConstraints"), content);
    content.width(
        WHOLE,
        ScopeChange.conditions(was.items("matchConditions"), is.items("matchConditions")),
        "matchConditions");
    validations(bare(was.items("validations")), bare(is.items("validations")), content);
    content.changed(WHOLE, "evaluation logic", demanded(was), demanded(is));
    impactReasons.addAll(content, actionBefore.blocksSomewhere());
    return impactReasons.all();
  }

  /// Evaluates a policy that mutates or generates objects. Such a policy rejects a request only if
  /// its own evaluation fails.
  static List<ImpactReason> failures(
      PolicyKind.Type type, Value.Mapping before, Value.Mapping after) {
    var impactReasons = new ImpactReasons();
    if (!before.fields().isEmpty() && !after.fields().isEmpty()) {
      var was = before.mapping("spec");
      var is = after.mapping("spec");
      impactReasons.failurePolicy(type, was, is);
      if (Admission.failsClosed(type, is)) {
        impactReasons.changed(WHOLE, "paramKind", field(was, "paramKind"), field(is, "paramKind"));
      }
    }
    return impactReasons.all();
  }

  private static Value field(Value.Mapping spec, String name) {
    return spec.field(name).orElse(Value.Null.NULL);
  }

  static void constraints(Value.Mapping was, Value.Mapping is, ImpactReasons impactReasons) {
    var name = "excludeResourceRules";
    impactReasons.exclusion(WHOLE, exclusion(was.items(name), is.items(name)), name);
    var taken = ScopeChange.alternatives(was.items("resourceRules"), is.items("resourceRules"));
    var others =
        ScopeChange.ofBlock(
            was.without(name).without("resourceRules"), is.without(name).without("resourceRules"));
    impactReasons.width(WHOLE, taken.and(others), "matchConstraints");
  }

  /// Returns the change of an exclusion. An exclusion without rules excludes nothing.
  private static ScopeChange exclusion(List<Value> was, List<Value> is) {
    if (was.isEmpty() == is.isEmpty()) {
      return ScopeChange.alternatives(was, is);
    }
    return was.isEmpty() ? ScopeChange.WIDER : ScopeChange.NARROWER;
  }

  /// Evaluates a change of `validations`. All of them have to hold, so an added one is stricter.
  private static void validations(List<Value> was, List<Value> is, ImpactReasons impactReasons) {
    switch (ScopeChange.conditions(was, is)) {
      case SAME -> {}
      case NARROWER ->
          impactReasons.add(
              Direction.TIGHTENS, WHOLE, "has additional validations", ReportCoverage.NONE);
      case WIDER ->
          impactReasons.add(
              Direction.LOOSENS, WHOLE, "has fewer validations", ReportCoverage.NOT_NEEDED);
      case BOTH, CHANGED -> impactReasons.changed(WHOLE, "validations");
    }
  }

  private static List<Value> bare(List<Value> validations) {
    var bare = new ArrayList<Value>();
    for (var item : validations) {
      var left = item;
      for (var word : WORDS) {
        left = left instanceof Value.Mapping validation ? validation.without(word) : left;
      }
      bare.add(left);
    }
    return bare;
  }

  private static Value demanded(Value.Mapping spec) {
    var left = spec;
    for (var name : NOT_DEMANDED) {
      left = left.without(name);
    }
    return left;
  }
}
