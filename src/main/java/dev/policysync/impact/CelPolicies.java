package dev.policysync.impact;

import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Judges the kinds that are written in CEL, which have no rules: a policy is one.
final class CelPolicies {
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

  private CelPolicies() {}

  /// @param rulingBefore what is done to requests that break it as it was
  /// @param rulingAfter the same as it will be
  static List<Reason> judge(
      Value.Mapping before, Value.Mapping after, Ruling rulingBefore, Ruling rulingAfter) {
    var reasons = new Reasons();
    if (before.fields().isEmpty()) {
      if (rulingAfter.blocksSomewhere()) {
        reasons.add(Direction.TIGHTENS, WHOLE, "new, with Deny", Evidence.NONE);
      }
      return reasons.all();
    }
    if (after.fields().isEmpty()) {
      if (rulingBefore.blocksSomewhere()) {
        reasons.add(Direction.LOOSENS, WHOLE, "removed, it was Deny", Evidence.NOT_NEEDED);
      }
      return reasons.all();
    }
    reasons.ruling(WHOLE, rulingBefore, rulingAfter);
    if (!rulingAfter.blocksSomewhere()) {
      return reasons.all();
    }
    var was = Defaults.without(before.mapping("spec"));
    var is = Defaults.without(after.mapping("spec"));
    var content = new Reasons();
    constraints(was.mapping("matchConstraints"), is.mapping("matchConstraints"), content);
    content.width(
        WHOLE,
        Width.conditions(was.items("matchConditions"), is.items("matchConditions")),
        "matchConditions");
    validations(bare(was.items("validations")), bare(is.items("validations")), content);
    content.changed(WHOLE, "what it demands", demanded(was), demanded(is));
    reasons.addAll(content, rulingBefore.blocksSomewhere());
    reasons.failurePolicy(fails(was), fails(is));
    return reasons.all();
  }

  /// Of `matchConstraints`, or of a binding's `matchResources`.
  static void constraints(Value.Mapping was, Value.Mapping is, Reasons reasons) {
    var name = "excludeResourceRules";
    reasons.exclusion(WHOLE, exclusion(was.items(name), is.items(name)), name);
    var taken = Width.alternatives(was.items("resourceRules"), is.items("resourceRules"));
    var others =
        Width.ofBlock(
            was.without(name).without("resourceRules"), is.without(name).without("resourceRules"));
    reasons.width(WHOLE, taken.and(others), "what it matches");
  }

  /// Without any rule nothing is spared.
  private static Width exclusion(List<Value> was, List<Value> is) {
    if (was.isEmpty() == is.isEmpty()) {
      return Width.alternatives(was, is);
    }
    return was.isEmpty() ? Width.WIDER : Width.NARROWER;
  }

  /// All of them have to hold: one more asks for more.
  private static void validations(List<Value> was, List<Value> is, Reasons reasons) {
    switch (Width.conditions(was, is)) {
      case SAME -> {}
      case NARROWER -> reasons.add(Direction.TIGHTENS, WHOLE, "demands more", Evidence.NONE);
      case WIDER -> reasons.add(Direction.LOOSENS, WHOLE, "demands less", Evidence.NOT_NEEDED);
      case BOTH, CHANGED -> reasons.changed(WHOLE, "validations");
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

  private static boolean fails(Value.Mapping spec) {
    return !spec.text("failurePolicy").orElse("Fail").equals("Ignore");
  }
}
