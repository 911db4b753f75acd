package dev.policysync.impact;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Shield;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Judges PolicyExceptions of both groups: the less one shields, the more its policies block. Whom
/// it shields no report tells: what is excepted is skipped.
final class Exceptions {
  private static final Optional<String> WHOLE = Optional.empty();

  private Exceptions() {}

  static List<Reason> judge(
      PolicyId id, Value.Mapping before, Value.Mapping after, Surroundings surroundings) {
    var policies =
        Stream.of(before, after)
            .flatMap(object -> surroundings.blocking(Shield.of(id.kind(), object)))
            .distinct()
            .sorted()
            .toList();
    if (policies.isEmpty()) {
      return List.of();
    }
    var reasons = new Reasons();
    var shielded = names(policies);
    if (after.fields().isEmpty()) {
      reasons.add(
          Direction.TIGHTENS, WHOLE, "removed, it shielded from " + shielded, Evidence.NONE);
    } else if (before.fields().isEmpty()) {
      reasons.add(
          Direction.LOOSENS, WHOLE, "new, it shields from " + shielded, Evidence.NOT_NEEDED);
    } else {
      updated(before.mapping("spec"), after.mapping("spec"), reasons);
    }
    return reasons.all();
  }

  /// The kinds of the two groups have no field in common but those that are the rest.
  private static void updated(Value.Mapping was, Value.Mapping is, Reasons reasons) {
    reasons.exclusion(
        WHOLE, ofReferences(was.items("exceptions"), is.items("exceptions")), "exceptions");
    reasons.exclusion(WHOLE, Width.ofFilter(was.mapping("match"), is.mapping("match")), "match");
    reasons.exclusion(
        WHOLE, Width.alternatives(was.items("policyRefs"), is.items("policyRefs")), "policyRefs");
    reasons.exclusion(
        WHOLE,
        Width.conditions(was.items("matchConditions"), is.items("matchConditions")),
        "matchConditions");
    reasons.changed(WHOLE, "the rest of it", rest(was), rest(is));
  }

  /// What is referred to, rule by rule: `{policyName, ruleNames}` is as many references as it has
  /// rules.
  private static Width ofReferences(List<Value> before, List<Value> after) {
    var was = references(before);
    var is = references(after);
    var width = was.containsAll(is) ? Width.SAME : Width.WIDER;
    return is.containsAll(was) ? width : width.and(Width.NARROWER);
  }

  private static List<String> references(List<Value> items) {
    var references = new ArrayList<String>();
    for (var item : items) {
      if (item instanceof Value.Mapping exception) {
        var policy = exception.text("policyName").orElse("");
        Texts.of(exception.items("ruleNames")).forEach(rule -> references.add(policy + " " + rule));
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
