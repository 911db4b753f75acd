package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.MatchTranslation.ScopedMatches;
import dev.policysync.convert.PatternTranslation.Judgement;
import java.util.List;
import java.util.function.Function;

/// Translates a rule with `pattern` or `anyPattern` into one policy, which judges Pods and, as
/// autogen does, their controllers.
///
/// Source: Kyverno 1.19.0, `validateResourceHandler`: a pattern judges no DELETE; with Enforce, an
/// UPDATE passes if the old object already violated the rule, unless `allowExistingViolations` is
/// false.
final class PatternRule {
  private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE");

  private final Value.Mapping rule;
  private final boolean enforces;
  private final ScopedMatches match;

  PatternRule(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
    this.rule = rule;
    this.enforces = enforces;
    this.match = ScopedMatches.of(policy, rule);
  }

  SuccessorSpec spec() {
    var spec =
        new SuccessorSpec(match.resourceRules(OPERATIONS)).matched(match.condition(Place.OBJECT));
    // Match conditions cannot read variables.
    var skips = judged(Place.OBJECT, Judgement::skips);
    if (!skips.equals(Cel.FALSE)) {
      spec.condition("anchors", skips.not());
    }
    var expression =
        judgement(match.coversControllers() ? Place.POD_VARIABLE : Place.OBJECT).passes();
    if (match.coversControllers()) {
      spec.variable("pod", pod(Place.OBJECT));
    }
    if (enforces && ExistingViolations.areAllowed(rule)) {
      ExistingViolations.check(rule);
      var violated =
          ExistingViolations.violatedBefore(
              match.matches(Place.OLD_OBJECT), judged(Place.OLD_OBJECT, Judgement::holds).not());
      spec.variable("violatedBefore", violated.text());
      expression = expression.or(Cel.call("variables.violatedBefore"));
    }
    return spec.validation(expression, SuccessorSpec.message(rule));
  }

  private String pod(Place object) {
    return RuleScope.pod(match.scopes(), object);
  }

  /// Returns a part of the judgement on the object, or on its Pod where autogen applies.
  private Cel judged(Place object, Function<Judgement, Cel> what) {
    if (!match.coversControllers()) {
      return what.apply(judgement(object));
    }
    return what.apply(judgement(Place.POD)).bind("pod", pod(object));
  }

  private Judgement judgement(Place object) {
    var validate = rule.mapping("validate");
    if (validate.field("pattern").isEmpty() && validate.items("anyPattern").isEmpty()) {
      throw Untranslatable.field(
          validate, "anyPattern", "an anyPattern that is no list", "write a list of patterns");
    }
    return PatternTranslation.of(validate, List.of(), object);
  }
}
