package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Judgement;
import dev.policysync.convert.expression.PatternTranslation;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private PatternRule(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
    this.rule = rule;
    this.enforces = enforces;
    this.match = ScopedMatches.of(policy, rule);
  }

  static Value.Mapping successorSpec(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
    return new PatternRule(policy, rule, enforces).spec();
  }

  private Value.Mapping spec() {
    var constraints = match.constraints(OPERATIONS);
    var conditions = new ArrayList<Value>();
    conditions.add(SpecFields.condition("matched", match.matches(Place.OBJECT, Optional.empty())));
    // Match conditions cannot read variables.
    var skips = judged(Place.OBJECT, Judgement::skips);
    if (!skips.equals(Cel.FALSE)) {
      conditions.add(SpecFields.condition("anchors", skips.not()));
    }
    var variables = new ArrayList<Value>();
    var expression =
        judgement(match.coversControllers() ? Place.POD_VARIABLE : Place.OBJECT).passes();
    if (match.coversControllers()) {
      variables.add(SpecFields.namedExpression("pod", pod(Place.OBJECT)));
    }
    if (enforces && ExistingViolations.areAllowed(rule)) {
      ExistingViolations.check(rule);
      variables.add(SpecFields.namedExpression("violatedBefore", violatedBefore().text()));
      expression = expression.or(Cel.call("variables.violatedBefore"));
    }
    var spec =
        Value.Mapping.EMPTY
            .with("matchConstraints", constraints)
            .with("matchConditions", new Value.Sequence(conditions));
    return (variables.isEmpty() ? spec : spec.with("variables", new Value.Sequence(variables)))
        .with(
            "validations",
            new Value.Sequence(
                List.of(
                    Value.Mapping.EMPTY
                        .with("expression", expression.text())
                        .with("message", SpecFields.message(rule)))));
  }

  /// Tests whether the old object of an UPDATE violates the rule, judged as if it were created.
  private Cel violatedBefore() {
    return Cel.all(
        List.of(
            Cel.comparison("request.operation == \"UPDATE\""),
            match.matches(Place.OLD_OBJECT, Optional.of("CREATE")),
            judged(Place.OLD_OBJECT, Judgement::holds).not()));
  }

  private String pod(Place object) {
    return RuleScope.pod(match.scopes(), object);
  }

  /// Returns a part of the judgement on the object, or on its Pod where autogen applies.
  private Cel judged(Place object, Function<Judgement, Cel> what) {
    if (!match.coversControllers()) {
      return what.apply(judgement(object));
    }
    var ofPod = what.apply(judgement(Place.POD));
    return ofPod.equals(Cel.TRUE) || ofPod.equals(Cel.FALSE)
        ? ofPod
        : Cel.call("cel.bind(pod, " + pod(object) + ", " + ofPod + ")");
  }

  private Judgement judgement(Place object) {
    var validate = rule.mapping("validate");
    if (validate.field("pattern").isPresent()) {
      return PatternTranslation.of(
          validate.fields().getOrDefault("pattern", Value.Null.NULL), object);
    }
    if (validate.items("anyPattern").isEmpty()) {
      throw Untranslatable.field(
          validate, "anyPattern", "an anyPattern that is no list", "write a list of patterns");
    }
    return PatternTranslation.ofAny(validate.items("anyPattern"), object);
  }
}
