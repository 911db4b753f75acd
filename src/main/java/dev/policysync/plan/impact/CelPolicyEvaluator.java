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

/// Judges the kinds that are written in CEL, which have no rules: a policy is one.
final class CelPolicyEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();

  /// What has a sentence of its own, or does not matter to whom it blocks.
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

  /// @param actionBefore what is done to requests that break it as it was
  /// @param actionAfter the same as it will be
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
    // The API server refuses for want of a parameter also what a binding only audits.
    if (actionAfter.blocksSomewhere() || type == PolicyKind.Type.VALIDATING_ADMISSION) {
      impactReasons.failurePolicy(type, before.mapping("spec"), after.mapping("spec"));
    }
    if (!actionAfter.blocksSomewhere()) {
      return impactReasons.all();
    }
    var was = SchemaDefaults.without(before.mapping("spec"));
    var is = SchemaDefaults.without(after.mapping("spec"));
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

  /// Of a policy that changes objects or makes others: it refuses nothing but what fails.
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

  /// Of `matchConstraints`, or of a binding's `matchResources`.
  static void constraints(Value.Mapping was, Value.Mapping is, ImpactReasons impactReasons) {
    var name = "excludeResourceRules";
    impactReasons.exclusion(WHOLE, exclusion(was.items(name), is.items(name)), name);
    var taken = ScopeChange.alternatives(was.items("resourceRules"), is.items("resourceRules"));
    var others =
        ScopeChange.ofBlock(
            was.without(name).without("resourceRules"), is.without(name).without("resourceRules"));
    impactReasons.width(WHOLE, taken.and(others), "matchConstraints");
  }

  /// Without any rule nothing is spared.
  private static ScopeChange exclusion(List<Value> was, List<Value> is) {
    if (was.isEmpty() == is.isEmpty()) {
      return ScopeChange.alternatives(was, is);
    }
    return was.isEmpty() ? ScopeChange.WIDER : ScopeChange.NARROWER;
  }

  /// All of them have to hold: one more asks for more.
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
