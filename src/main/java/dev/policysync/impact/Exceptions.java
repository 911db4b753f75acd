package dev.policysync.impact;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Judges PolicyExceptions of both groups: the less one shields, the more its policies block. Whom
/// it shields no report tells: what is excepted is skipped.
final class Exceptions {
  private static final Optional<String> WHOLE = Optional.empty();

  private Exceptions() {}

  static List<Reason> judge(
      PolicyId id, Value.Mapping before, Value.Mapping after, Surroundings surroundings) {
    var was = before.mapping("spec");
    var is = after.mapping("spec");
    var policies =
        Stream.concat(policies(id, was).stream(), policies(id, is).stream()).distinct().toList();
    var reasons = new Reasons();
    if (policies.stream().allMatch(policy -> surroundings.blocks(policy) == Blocking.NO)) {
      return reasons.all();
    }
    var shielded = names(policies);
    if (after.fields().isEmpty()) {
      reasons.add(
          Direction.TIGHTENS, WHOLE, "removed, it shielded from " + shielded, Evidence.NONE);
    } else if (before.fields().isEmpty()) {
      reasons.add(
          Direction.LOOSENS, WHOLE, "new, it shields from " + shielded, Evidence.NOT_NEEDED);
    } else {
      updated(id.kind(), was, is, reasons);
    }
    return reasons.all();
  }

  private static void updated(
      PolicyKind kind, Value.Mapping was, Value.Mapping is, Reasons reasons) {
    if (kind == PolicyKind.KYVERNO_EXCEPTION) {
      reasons.exclusion(
          WHOLE, ofReferences(was.items("exceptions"), is.items("exceptions")), "exceptions");
      reasons.exclusion(WHOLE, Width.ofFilter(was.mapping("match"), is.mapping("match")), "match");
      reasons.changed(WHOLE, "the rest of it", rest(was), rest(is));
    } else {
      reasons.exclusion(
          WHOLE, Width.alternatives(was.items("policyRefs"), is.items("policyRefs")), "policyRefs");
      reasons.exclusion(
          WHOLE,
          Width.conditions(was.items("matchConditions"), is.items("matchConditions")),
          "matchConditions");
      reasons.changed(WHOLE, "the rest of it", rest(was), rest(is));
    }
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

  /// The policies that it shields from.
  private static List<PolicyId> policies(PolicyId id, Value.Mapping spec) {
    var policies = new ArrayList<PolicyId>();
    for (var item : spec.items("exceptions")) {
      if (item instanceof Value.Mapping exception) {
        name(exception, "policyName").ifPresent(name -> policies.add(named(name)));
      }
    }
    for (var item : spec.items("policyRefs")) {
      if (item instanceof Value.Mapping reference) {
        PolicyKind.of("policies.kyverno.io", reference.text("kind").orElse("ValidatingPolicy"))
            .ifPresent(kind ->
                name(reference, "name")
                    .ifPresent(name ->
                        policies.add(
                            kind.namespaced()
                                ? PolicyId.of(kind, id.namespace().orElse(""), name)
                                : PolicyId.of(kind, name))));
      }
    }
    return policies;
  }

  /// An empty name is nobody's, whatever the schema says of it.
  private static Optional<String> name(Value.Mapping reference, String field) {
    return reference.text(field).filter(name -> !name.isEmpty());
  }

  /// `team-label`, or `shop/team-label` for one that lives in a namespace.
  private static PolicyId named(String name) {
    var slash = name.indexOf('/');
    return slash > 0 && slash < name.length() - 1
        ? PolicyId.of(
            PolicyKind.NAMESPACED_POLICY, name.substring(0, slash), name.substring(slash + 1))
        : PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
  }

  private static String names(List<PolicyId> policies) {
    return String.join(", ", policies.stream().map(PolicyId::toString).toList());
  }
}
