package dev.policysync.plan.impact;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.EffectiveAction;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.SchemaDefaults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Evaluates changes of ClusterPolicy and Policy, rule by rule. Rules are matched by name.
final class RulePolicyEvaluator {
  /// Fields of `validate` that have a reason of their own, or do not affect which requests are
  /// blocked.
  private static final List<String> NOT_DEMANDED =
      List.of("failureAction", "failureActionOverrides", "message", "allowExistingViolations");

  private final Optional<String> namespace;
  private final Value.Mapping specBefore;
  private final Value.Mapping specAfter;
  private final Value.Mapping before;
  private final Value.Mapping after;
  private final ImpactReasons impactReasons = new ImpactReasons();

  private RulePolicyEvaluator(PolicyId id, Value.Mapping before, Value.Mapping after) {
    this.namespace = id.namespace();
    this.before = before;
    this.after = after;
    this.specBefore = before.mapping("spec");
    this.specAfter = after.mapping("spec");
  }

  private record Judging(Value.Mapping rule, EffectiveAction effectiveAction) {
    boolean blocks() {
      return effectiveAction.blocksSomewhere();
    }
  }

  static List<ImpactReason> judge(PolicyId id, Value.Mapping before, Value.Mapping after) {
    var policies = new RulePolicyEvaluator(id, before, after);
    policies.judge();
    return policies.impactReasons.all();
  }

  private void judge() {
    var was = judging(specBefore);
    var is = judging(specAfter);
    var blockedBefore = was.values().stream().anyMatch(Judging::blocks);
    var blocks = is.values().stream().anyMatch(Judging::blocks);
    if (before.fields().isEmpty() || after.fields().isEmpty()) {
      whole(was, is);
      return;
    }
    is.forEach((name, rule) -> {
      var old = Optional.ofNullable(was.get(name));
      if (old.isPresent()) {
        rule(name, old.get(), rule);
      } else if (rule.blocks()) {
        impactReasons.add(
            Direction.TIGHTENS, Optional.of(name), "new with Enforce", ReportCoverage.NONE);
      }
    });
    was.forEach((name, rule) -> {
      if (!is.containsKey(name) && rule.blocks()) {
        impactReasons.add(
            Direction.LOOSENS,
            Optional.of(name),
            "removed, was Enforce",
            ReportCoverage.NOT_NEEDED);
      }
    });
    if (blockedBefore && blocks) {
      autogen();
      var conditions = "spec.webhookConfiguration.matchConditions";
      impactReasons.width(
          Optional.empty(),
          ScopeChange.conditions(matchConditions(specBefore), matchConditions(specAfter)),
          conditions);
      impactReasons.changed(
          Optional.empty(),
          "spec.applyRules",
          field(specBefore, "applyRules", "All"),
          field(specAfter, "applyRules", "All"));
    }
    // An error in a validating rule matters if the rule blocks; an error in a mutation always
    // matters.
    if (blockedBefore || blocks || mutates(specAfter)) {
      impactReasons.failurePolicy(PolicyKind.Type.RULES, specBefore, specAfter);
    }
  }

  /// Evaluates a policy that is created or removed.
  private void whole(Map<String, Judging> was, Map<String, Judging> is) {
    var come = names(is);
    if (!come.isEmpty()) {
      var text = "new with Enforce in rule " + String.join(", ", come);
      impactReasons.add(Direction.TIGHTENS, Optional.empty(), text, ReportCoverage.NONE);
    }
    var gone = names(was);
    if (!gone.isEmpty()) {
      var text = "removed, was Enforce in rule " + String.join(", ", gone);
      impactReasons.add(Direction.LOOSENS, Optional.empty(), text, ReportCoverage.NOT_NEEDED);
    }
  }

  private void rule(String name, Judging was, Judging is) {
    var rule = Optional.of(name);
    impactReasons.action(rule, was.effectiveAction(), is.effectiveAction());
    if (!is.blocks()) {
      return;
    }
    var old = was.rule();
    var fresh = is.rule();
    var selected = new ImpactReasons();
    selected.width(
        rule,
        FilterChange.between(old.mapping("match"), fresh.mapping("match"), FilterChange.Role.MATCH),
        "match");
    selected.exclusion(
        rule,
        FilterChange.between(
            old.mapping("exclude"), fresh.mapping("exclude"), FilterChange.Role.EXCLUDE),
        "exclude");
    impactReasons.addAll(selected, was.blocks());
    for (var part : List.of("preconditions", "celPreconditions", "context", "imageExtractors")) {
      impactReasons.changed(rule, part, field(old, part), field(fresh, part));
    }
    impactReasons.changed(rule, "validate", demanded(old), demanded(fresh));
    impactReasons.changed(rule, "verifyImages", images(old), images(fresh));
    existingViolations(rule, old, fresh);
  }

  /// Evaluates `allowExistingViolations`. With the default, true, an object that already violates
  /// the rule may still be updated.
  private void existingViolations(Optional<String> rule, Value.Mapping old, Value.Mapping fresh) {
    var was = old.mapping("validate").field("allowExistingViolations").isEmpty();
    var is = fresh.mapping("validate").field("allowExistingViolations").isEmpty();
    if (was != is) {
      impactReasons.add(
          is ? Direction.LOOSENS : Direction.TIGHTENS,
          rule,
          "allowExistingViolations " + was + " → " + is,
          is ? ReportCoverage.NOT_NEEDED : ReportCoverage.REPORTS);
    }
  }

  private void autogen() {
    var was = Autogen.controllers(before);
    var is = Autogen.controllers(after);
    if (was.equals(is)) {
      return;
    }
    if (is.isEmpty()) {
      impactReasons.width(Optional.empty(), ScopeChange.NARROWER, "autogen for Pod controllers");
    } else if (was.isEmpty()) {
      impactReasons.width(Optional.empty(), ScopeChange.WIDER, "autogen for Pod controllers");
    } else {
      impactReasons.changed(Optional.empty(), "autogen for Pod controllers");
    }
  }

  private Map<String, Judging> judging(Value.Mapping spec) {
    var rules = new LinkedHashMap<String, Judging>();
    EffectiveActionResolver.rules(spec)
        .forEach(rule -> {
          var name = rule.text("name").orElse("#" + rules.size());
          var effectiveAction = EffectiveActionResolver.ofRule(spec, rule).within(namespace);
          rules.put(name, new Judging(SchemaDefaults.removeFrom(rule), effectiveAction));
        });
    return rules;
  }

  private static List<String> names(Map<String, Judging> rules) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().blocks())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean mutates(Value.Mapping spec) {
    return EffectiveActionResolver.rules(spec).anyMatch(rule -> rule.field("mutate").isPresent());
  }

  private static List<Value> matchConditions(Value.Mapping spec) {
    return spec.mapping("webhookConfiguration").items("matchConditions");
  }

  private static Value demanded(Value.Mapping rule) {
    var validate = rule.mapping("validate");
    for (var name : NOT_DEMANDED) {
      validate = validate.without(name);
    }
    return validate;
  }

  private static Value images(Value.Mapping rule) {
    var images = new ArrayList<Value>();
    for (var image : rule.items("verifyImages")) {
      images.add(image instanceof Value.Mapping entry ? entry.without("failureAction") : image);
    }
    return new Value.Sequence(images);
  }

  private static Value field(Value.Mapping holder, String name) {
    return holder.field(name).orElse(Value.Null.NULL);
  }

  private static Value field(Value.Mapping holder, String name, String fallback) {
    return holder.field(name).orElse(new Value.Text(fallback));
  }
}
