package dev.policysync.impact;

import dev.policysync.policy.PolicyId;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Judges ClusterPolicy and Policy, rule by rule. Rules are the same where they have one name.
final class RulePolicies {
  private static final String AUTOGEN = "pod-policies.kyverno.io/autogen-controllers";
  private static final String SWITCHED_OFF = "none";

  /// What of a rule has a sentence of its own, or does not matter to whom it blocks.
  private static final List<String> NOT_DEMANDED =
      List.of("failureAction", "failureActionOverrides", "message", "allowExistingViolations");

  private final Optional<String> namespace;
  private final Value.Mapping specBefore;
  private final Value.Mapping specAfter;
  private final Value.Mapping before;
  private final Value.Mapping after;
  private final Reasons reasons = new Reasons();

  private RulePolicies(PolicyId id, Value.Mapping before, Value.Mapping after) {
    this.namespace = id.namespace();
    this.before = before;
    this.after = after;
    this.specBefore = before.mapping("spec");
    this.specAfter = after.mapping("spec");
  }

  /// A rule and what is done to who breaks it.
  private record Judging(Value.Mapping rule, Ruling ruling) {
    boolean blocks() {
      return ruling.blocksSomewhere();
    }
  }

  static List<Reason> judge(PolicyId id, Value.Mapping before, Value.Mapping after) {
    var policies = new RulePolicies(id, before, after);
    policies.judge();
    return policies.reasons.all();
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
        reasons.add(Direction.TIGHTENS, Optional.of(name), "new, with Enforce", Evidence.NONE);
      }
    });
    was.forEach((name, rule) -> {
      if (!is.containsKey(name) && rule.blocks()) {
        reasons.add(
            Direction.LOOSENS, Optional.of(name), "removed, it was Enforce", Evidence.NOT_NEEDED);
      }
    });
    if (blockedBefore && blocks) {
      autogen();
      var conditions = "spec.webhookConfiguration.matchConditions";
      reasons.width(
          Optional.empty(),
          Width.conditions(matchConditions(specBefore), matchConditions(specAfter)),
          conditions);
      reasons.changed(
          Optional.empty(),
          "spec.applyRules",
          field(specBefore, "applyRules", "All"),
          field(specAfter, "applyRules", "All"));
    }
    if (blockedBefore || blocks) {
      reasons.failurePolicy(fails(specBefore), fails(specAfter));
    }
  }

  /// A policy that comes or goes as a whole.
  private void whole(Map<String, Judging> was, Map<String, Judging> is) {
    var come = names(is);
    if (!come.isEmpty()) {
      var text = "new, with Enforce in rule " + String.join(", ", come);
      reasons.add(Direction.TIGHTENS, Optional.empty(), text, Evidence.NONE);
    }
    var gone = names(was);
    if (!gone.isEmpty()) {
      var text = "removed, it was Enforce in rule " + String.join(", ", gone);
      reasons.add(Direction.LOOSENS, Optional.empty(), text, Evidence.NOT_NEEDED);
    }
  }

  private void rule(String name, Judging was, Judging is) {
    var rule = Optional.of(name);
    reasons.ruling(rule, was.ruling(), is.ruling());
    if (!is.blocks()) {
      return;
    }
    var old = was.rule();
    var fresh = is.rule();
    var selected = new Reasons();
    selected.width(rule, Width.ofFilter(old.mapping("match"), fresh.mapping("match")), "match");
    selected.exclusion(
        rule, Width.ofExclusion(old.mapping("exclude"), fresh.mapping("exclude")), "exclude");
    reasons.addAll(selected, was.blocks());
    for (var part : List.of("preconditions", "celPreconditions", "context", "imageExtractors")) {
      reasons.changed(rule, part, field(old, part), field(fresh, part));
    }
    reasons.changed(rule, "what it demands (validate)", demanded(old), demanded(fresh));
    reasons.changed(rule, "what it demands (verifyImages)", images(old), images(fresh));
    existingViolations(rule, old, fresh);
  }

  /// With the default, true, an object that breaks the rule already may still be updated.
  private void existingViolations(Optional<String> rule, Value.Mapping old, Value.Mapping fresh) {
    var was = old.mapping("validate").field("allowExistingViolations").isEmpty();
    var is = fresh.mapping("validate").field("allowExistingViolations").isEmpty();
    if (was != is) {
      reasons.add(
          is ? Direction.LOOSENS : Direction.TIGHTENS,
          rule,
          "allowExistingViolations " + was + " → " + is,
          is ? Evidence.NOT_NEEDED : Evidence.REPORTS);
    }
  }

  private void autogen() {
    var was = autogen(before);
    var is = autogen(after);
    if (was.equals(is)) {
      return;
    }
    if (is.equals(Optional.of(SWITCHED_OFF))) {
      reasons.width(Optional.empty(), Width.NARROWER, "autogen for Pod controllers");
    } else if (was.equals(Optional.of(SWITCHED_OFF))) {
      reasons.width(Optional.empty(), Width.WIDER, "autogen for Pod controllers");
    } else {
      reasons.changed(Optional.empty(), "autogen for Pod controllers");
    }
  }

  private static Optional<String> autogen(Value.Mapping policy) {
    return policy.mapping("metadata").mapping("annotations").text(AUTOGEN);
  }

  private Map<String, Judging> judging(Value.Mapping spec) {
    var rules = new LinkedHashMap<String, Judging>();
    Rulings.rules(spec)
        .forEach(rule -> {
          var name = rule.text("name").orElse("#" + rules.size());
          var ruling = Rulings.ofRule(spec, rule).within(namespace);
          rules.put(name, new Judging(Defaults.without(rule), ruling));
        });
    return rules;
  }

  private static List<String> names(Map<String, Judging> rules) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().blocks())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean fails(Value.Mapping spec) {
    return !spec.mapping("webhookConfiguration")
        .text("failurePolicy")
        .or(() -> spec.text("failurePolicy"))
        .orElse("Fail")
        .equals("Ignore");
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
