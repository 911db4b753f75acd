package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.PolicyDependency;
import dev.policysync.policy.kyverno.RelatedPolicies;
import dev.policysync.policy.kyverno.StringLists;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Evaluates changes of PolicyExceptions of both groups: the less an exception exempts, the more
/// its policies block. No policy report shows which resources an exception exempts, because they
/// are skipped.
final class ExceptionEvaluator {
  private static final Optional<String> WHOLE = Optional.empty();
  private static final String EXPIRES_AT = "expiresAt";

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
          "new, exempts resources from " + shielded + until(after.mapping("spec")),
          ReportCoverage.NOT_NEEDED);
    } else {
      updated(before.mapping("spec"), after.mapping("spec"), impactReasons);
    }
    return impactReasons.all();
  }

  /// Evaluates an update. The kinds of the two groups share no fields except those handled at the
  /// end.
  private static void updated(Value.Mapping was, Value.Mapping is, ImpactReasons impactReasons) {
    impactReasons.exclusion(
        WHOLE, ofReferences(was.items("exceptions"), is.items("exceptions")), "exceptions");
    impactReasons.exclusion(
        WHOLE,
        FilterChange.between(
            was.mapping("match"), is.mapping("match"), FilterChange.Role.EXCEPTION),
        "match");
    impactReasons.exclusion(
        WHOLE,
        ScopeChange.alternatives(was.items("policyRefs"), is.items("policyRefs")),
        "policyRefs");
    impactReasons.exclusion(
        WHOLE,
        ScopeChange.conditions(was.items("matchConditions"), is.items("matchConditions")),
        "matchConditions");
    expiry(was, is, impactReasons);
    impactReasons.changed(WHOLE, "other fields", rest(was), rest(is));
  }

  /// Evaluates a change of the date on which an exception ends (policies.kyverno.io since Kyverno
  /// 1.19). The exempted resources are blocked from then on.
  private static void expiry(Value.Mapping was, Value.Mapping is, ImpactReasons impactReasons) {
    var before = expiresAt(was);
    var after = expiresAt(is);
    if (before.equals(after)) {
      return;
    }
    var text = EXPIRES_AT + " " + before.orElse("never") + " → " + after.orElse("never");
    if (instant(before).isBefore(instant(after))) {
      impactReasons.add(Direction.LOOSENS, WHOLE, text, ReportCoverage.NOT_NEEDED);
    } else {
      impactReasons.add(Direction.TIGHTENS, WHOLE, text, ReportCoverage.NONE);
    }
  }

  private static String until(Value.Mapping spec) {
    return expiresAt(spec).map(date -> " until " + date).orElse("");
  }

  private static Optional<String> expiresAt(Value.Mapping spec) {
    return spec.text(EXPIRES_AT);
  }

  /// Returns the time of the date. An invalid date counts as past; the API server rejects it.
  private static Instant instant(Optional<String> date) {
    try {
      return date.map(text -> OffsetDateTime.parse(text).toInstant()).orElse(Instant.MAX);
    } catch (DateTimeException _) {
      return Instant.MIN;
    }
  }

  /// Returns the change of the references, rule by rule: `{policyName, ruleNames}` is one reference
  /// for each of its rules.
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
            "exceptions",
            "match",
            "policyRefs",
            "matchConditions",
            "background",
            "reportResult",
            EXPIRES_AT)) {
      left = left.without(name);
    }
    return left;
  }

  private static String names(List<PolicyId> policies) {
    return policies.stream().map(PolicyId::toString).collect(Collectors.joining(", "));
  }
}
