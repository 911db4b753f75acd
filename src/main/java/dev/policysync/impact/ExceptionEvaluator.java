package dev.policysync.impact;

import dev.policysync.json.Value;
import dev.policysync.kyverno.PolicyDependency;
import dev.policysync.kyverno.RelatedPolicies;
import dev.policysync.kyverno.StringLists;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Judges PolicyExceptions of both groups: the less one shields, the more its policies block. Whom
/// it shields no report tells: what is excepted is skipped.
final class ExceptionEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();

  private ExceptionEvaluator() {}

  static List<ImpactReason> judge(
      PolicyId id, Value.Mapping before, Value.Mapping after, RelatedPolicies relatedPolicies) {
    var policies =
        Stream.of(before, after)
            .flatMap(object -> relatedPolicies.blocking(PolicyDependency.of(id.kind(), object)))
            .distinct()
            .sorted()
            .toList();
    if (policies.isEmpty()) {
      return List.of();
    }
    var impactReasons = new ImpactReasons();
    var shielded = names(policies);
    if (after.fields().isEmpty()) {
      impactReasons.add(
          Direction.TIGHTENS,
          WHOLE,
          "removed, exempted resources from " + shielded,
          ReportCoverage.NONE);
    } else if (before.fields().isEmpty()) {
      impactReasons.add(
          Direction.LOOSENS,
          WHOLE,
          "new, exempts resources from " + shielded,
          ReportCoverage.NOT_NEEDED);
    } else {
      updated(before.mapping("spec"), after.mapping("spec"), impactReasons);
    }
    return impactReasons.all();
  }

  /// The kinds of the two groups have no field in common but those that are the rest.
  private static void updated(Value.Mapping was, Value.Mapping is, ImpactReasons impactReasons) {
    impactReasons.exclusion(
        WHOLE, ofReferences(was.items("exceptions"), is.items("exceptions")), "exceptions");
    impactReasons.exclusion(
        WHOLE, ScopeChange.ofFilter(was.mapping("match"), is.mapping("match")), "match");
    impactReasons.exclusion(
        WHOLE,
        ScopeChange.alternatives(was.items("policyRefs"), is.items("policyRefs")),
        "policyRefs");
    impactReasons.exclusion(
        WHOLE,
        ScopeChange.conditions(was.items("matchConditions"), is.items("matchConditions")),
        "matchConditions");
    impactReasons.changed(WHOLE, "other fields", rest(was), rest(is));
  }

  /// What is referred to, rule by rule: `{policyName, ruleNames}` is as many references as it has
  /// rules.
  private static ScopeChange ofReferences(List<Value> before, List<Value> after) {
    var was = references(before);
    var is = references(after);
    var scopeChange = was.containsAll(is) ? ScopeChange.SAME : ScopeChange.WIDER;
    return is.containsAll(was) ? scopeChange : scopeChange.and(ScopeChange.NARROWER);
  }

  private static List<String> references(List<Value> items) {
    var references = new ArrayList<String>();
    for (var item : items) {
      if (item instanceof Value.Mapping exception) {
        var policy = exception.text("policyName").orElse("");
        StringLists.of(exception.items("ruleNames"))
            .forEach(rule -> references.add(policy + " " + rule));
      }
    }
    return references;
  }

  private static Value rest(Value.Mapping spec) {
    var left = spec;
    for (var name :
        List.of(
            "exceptions", "match", "policyRefs", "matchConditions", "background", "reportResult")) {
      left = left.without(name);
    }
    return left;
  }

  private static String names(List<PolicyId> policies) {
    return policies.stream().map(PolicyId::toString).collect(Collectors.joining(", "));
  }
}
