package dev.policysync.convert;

import dev.policysync.convert.Conversion.Successor;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.match.RuleScope;
import dev.policysync.json.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Turns policies that Kyverno 1.20 no longer executes into their successors, or says why one has
/// none. It is pure, and exact or silent: what cannot be said with the same verdicts is refused.
public final class Converter {
  /// Names the rule that a successor comes from, and the digest of its policy:
  /// `ClusterPolicy.kyverno.io/require-labels/check-team@sha256:…`.
  public static final String ORIGIN = "policysync.dev/converted-from";

  /// Written by whoever applied the origin, and about the origin.
  private static final List<String> DROPPED =
      List.of("policysync.dev/", "pod-policies.kyverno.io/", "policies.kyverno.io/autogen");

  private static final Set<String> OF_RULE =
      Set.of(
          "celPreconditions",
          "context",
          "exclude",
          "match",
          "name",
          "preconditions",
          "skipBackgroundRequests",
          "validate");
  private static final Set<String> OF_VALIDATE =
      Set.of(
          "allowExistingViolations",
          "anyPattern",
          "cel",
          "deny",
          "failureAction",
          "failureActionOverrides",
          "foreach",
          "message",
          "pattern",
          "podSecurity");

  private static final List<String> JUDGING =
      List.of("pattern", "anyPattern", "deny", "foreach", "podSecurity", "cel");

  private final Set<String> names = new HashSet<>();

  /// Whether Kyverno 1.20 no longer executes such a policy.
  public static boolean isLegacy(LocatedPolicy policy) {
    return policy.id().kind().endsWithKyverno119();
  }

  /// What becomes of that policy; two of one converter have no successors of one name.
  public Conversion convert(LocatedPolicy policy) {
    var successors = new ArrayList<Successor>();
    var refusals = new ArrayList<Refusal>();
    try {
      if (policy.id().kind() != PolicyKind.CLUSTER_POLICY) {
        throw Untranslatable.field(
            policy.content(),
            "kind",
            "a " + policy.id().kind().label(),
            "this kind is not converted yet; write its successor by hand");
      }
      var settings = PolicySettings.of(policy.content().mapping("spec"));
      for (var rule : rules(policy)) {
        try {
          successors.addAll(successors(policy, rule, settings));
        } catch (Untranslatable e) {
          refusals.add(refusal(policy, rule.text("name").orElse(""), e));
        }
      }
      if (refusals.isEmpty()) {
        checkNames(policy, successors);
      }
    } catch (Untranslatable e) {
      refusals.add(refusal(policy, "", e));
    }
    return new Conversion(policy, refusals.isEmpty() ? successors : List.of(), refusals);
  }

  private static List<Value.Mapping> rules(LocatedPolicy policy) {
    var spec = policy.content().mapping("spec");
    var rules = spec.mappings("rules");
    if (rules.isEmpty() || rules.size() < spec.items("rules").size()) {
      throw Untranslatable.field(
          policy.content(), "spec", "a policy without rules", "write one, or remove the policy");
    }
    return rules;
  }

  private List<Successor> successors(
      LocatedPolicy policy, Value.Mapping rule, PolicySettings settings) {
    var validate = rule.mapping("validate");
    checkFields(rule, OF_RULE, "");
    checkFields(validate, OF_VALIDATE, "validate.");
    var common = settings.successorSpec(rule);
    if (validate.field("cel").isPresent()) {
      checkAlone(validate, "cel");
      checkUnconditional(rule, "CEL");
      return RuleScope.of(policy.content(), rule).stream()
          .map(scope ->
              successor(policy, rule, scope, merged(common, CelRule.successorSpec(rule, scope))))
          .toList();
    }
    checkAlone(
        validate,
        JUDGING.stream()
            .filter(field -> validate.field(field).isPresent())
            .findFirst()
            .orElse("pattern"));
    if (!rule.items("celPreconditions").isEmpty()) {
      throw Untranslatable.field(
          rule,
          "celPreconditions",
          "celPreconditions of a pattern",
          "Kyverno ignores them there; remove them");
    }
    if (validate.field("podSecurity").isPresent()) {
      checkUnconditional(rule, "podSecurity");
      return List.of(
          successor(
              policy,
              rule,
              RuleScope.WRITTEN,
              merged(
                  common,
                  PodSecurityRule.successorSpec(policy.content(), rule, settings.enforces(rule)))));
    }
    if (ConditionalRule.isOne(rule)) {
      return RuleScope.of(policy.content(), rule).stream()
          .map(scope ->
              successor(
                  policy,
                  rule,
                  scope,
                  merged(common, ConditionalRule.successorSpec(rule, scope, settings))))
          .toList();
    }
    return List.of(
        successor(
            policy,
            rule,
            RuleScope.WRITTEN,
            merged(
                common,
                PatternRule.successorSpec(policy.content(), rule, settings.enforces(rule)))));
  }

  private static void checkFields(Value.Mapping holder, Set<String> known, String path) {
    for (var field : holder.fields().keySet()) {
      if (!known.contains(field)) {
        throw Untranslatable.field(
            holder,
            field,
            path + Untranslatable.shown(field),
            "this part is not converted yet; write it in CEL by hand");
      }
    }
  }

  private static void checkUnconditional(Value.Mapping rule, String what) {
    for (var field : List.of("context", "preconditions")) {
      if (rule.field(field).isPresent()) {
        throw Untranslatable.field(
            rule, field, field + " of " + what, "write variables and match conditions in CEL");
      }
    }
  }

  private static void checkAlone(Value.Mapping validate, String field) {
    var judging = JUDGING.stream().filter(name -> validate.field(name).isPresent()).toList();
    if (!judging.equals(List.of(field))) {
      throw Untranslatable.value(
          validate,
          "a validate with not exactly one of pattern, anyPattern, deny, foreach, podSecurity"
              + " and cel",
          "write each as a rule of its own");
    }
  }

  private Successor successor(
      LocatedPolicy policy, Value.Mapping rule, RuleScope scope, Value.Mapping spec) {
    if (rule.mapping("validate").field("cel").isPresent() || !ConditionalRule.isOne(rule)) {
      PolicySettings.of(policy.content().mapping("spec")).checkConditions(spec);
    }
    var ruleName = rule.text("name").orElse("");
    var alone = policy.content().mapping("spec").items("rules").size() == 1;
    var parts = new ArrayList<String>();
    if (!scope.isWritten()) {
      parts.add(scope.isOfCronJobs() ? "autogen-cronjob" : "autogen");
    }
    if (!alone) {
      parts.add(ruleName);
    }
    var origin =
        policy.id().kind().qualified()
            + "/"
            + policy.id().name()
            + "/"
            + ruleName
            + "@"
            + Digest.of(ServerFields.removed(policy.content()));
    var name = SuccessorName.of(policy.id().name(), parts.toArray(String[]::new));
    return new Successor(
        ruleName,
        Value.Mapping.EMPTY
            .with("apiVersion", new Value.Text("policies.kyverno.io/v1"))
            .with("kind", new Value.Text(PolicyKind.VALIDATING_POLICY.kind()))
            .with("metadata", metadata(policy.content(), name, origin))
            .with("spec", spec));
  }

  private static Value.Mapping metadata(Value.Mapping policy, String name, String origin) {
    var written = ServerFields.removed(policy).mapping("metadata");
    var annotations = new LinkedHashMap<>(written.mapping("annotations").fields());
    annotations.keySet().removeIf(key -> DROPPED.stream().anyMatch(key::startsWith));
    annotations.put(ORIGIN, new Value.Text(origin));
    return written
        .without("namespace")
        .with("name", new Value.Text(name))
        .with("annotations", new Value.Mapping(annotations));
  }

  private void checkNames(LocatedPolicy policy, List<Successor> successors) {
    for (var successor : successors) {
      if (!names.add(successor.name())) {
        throw Untranslatable.field(
            policy.content(),
            "metadata",
            "a name that another successor has",
            "rename the policy or the rule; both would become " + successor.name());
      }
    }
  }

  private static Value.Mapping merged(Value.Mapping first, Value.Mapping second) {
    var merged = new LinkedHashMap<>(first.fields());
    merged.putAll(second.fields());
    return new Value.Mapping(merged);
  }

  private static Refusal refusal(LocatedPolicy policy, String rule, Untranslatable e) {
    var locations = policy.nodeLocations();
    var start =
        new dev.policysync.yaml.Location(policy.position().line(), policy.position().column());
    var inField =
        e.field()
            .filter(_ -> e.at() instanceof Value.Mapping)
            .flatMap(field -> locations.ofName((Value.Mapping) e.at(), field));
    var location = inField.orElseGet(() -> locations.of(e.at(), start));
    return new Refusal(
        policy.id().toString(),
        rule,
        Position.of(policy.position().source(), policy.position().document(), location),
        e.construct(),
        e.name(),
        e.advice());
  }
}
