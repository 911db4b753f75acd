package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.podsecurity.PodSecurityStandard;
import dev.policysync.convert.podsecurity.PodSecurityStandard.Requirement;
import dev.policysync.convert.podsecurity.PodVariables;
import dev.policysync.policy.kyverno.KindName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Translates a rule with `podSecurity` into one policy with a validation for each control. The
/// policy judges Pods and, as autogen does, their controllers.
///
/// Source: Kyverno 1.19, `validatePssHandler`: the kind of the object alone decides where its Pod
/// is, whichever of the rule's scopes the object matches; DELETE is not judged; with Enforce, an
/// UPDATE passes if the old object already violated the rule, unless `allowExistingViolations` is
/// false.
final class PodSecurityRule {
  private static final List<String> OPERATIONS = List.of("CREATE", "UPDATE");

  private final Value.Mapping rule;
  private final Value.Mapping validate;
  private final boolean enforces;
  private final ScopedMatches match;
  private final PodSecurityStandard standard;
  private final List<Value> variables = new ArrayList<>();

  private PodSecurityRule(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
    this.rule = rule;
    this.validate = rule.mapping("validate");
    this.enforces = enforces;
    this.match = ScopedMatches.of(policy, rule);
    this.standard = PodSecurityStandard.of(validate.mapping("podSecurity"));
    for (var kind : match.kinds()) {
      if (!kind.equals("Pod") && !KindName.POD_CONTROLLERS.contains(kind)) {
        throw Untranslatable.field(
            rule,
            "match",
            "podSecurity of a kind that makes no Pods",
            "Kyverno answers with an error for each such object; match Pods alone");
      }
    }
  }

  static Value.Mapping successorSpec(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
    return new PodSecurityRule(policy, rule, enforces).spec();
  }

  private Value.Mapping spec() {
    var matched = match.matches(Place.OBJECT, Optional.empty());
    var allowed = Cel.FALSE;
    var requirements = requirements(Place.OBJECT, "");
    if (enforces && ExistingViolations.areAllowed(rule)) {
      var violated = violatedBefore();
      variables.add(SpecFields.namedExpression("violatedBefore", violated.text()));
      allowed = Cel.call("variables.violatedBefore");
    }
    var validations = new ArrayList<Value>();
    for (var requirement : requirements) {
      validations.add(
          Value.Mapping.EMPTY
              .with("expression", allowed.or(requirement.holds()).text())
              .with("message", message(requirement)));
    }
    return Value.Mapping.EMPTY
        .with("matchConstraints", match.constraints(OPERATIONS))
        .with(
            "matchConditions",
            new Value.Sequence(List.of(SpecFields.condition("matched", matched))))
        .with("variables", new Value.Sequence(List.copyOf(variables)))
        .with("validations", new Value.Sequence(validations));
  }

  /// Returns the requirements on the Pod of the object, and adds the variables that they use.
  private List<Requirement> requirements(Place object, String suffix) {
    var ofPod = new PodVariables(match.kinds(), object, suffix);
    ofPod
        .expressions()
        .forEach((name, expression) -> variables.add(SpecFields.namedExpression(name, expression)));
    return standard.requirements(ofPod.places());
  }

  /// Tests whether the old object of an UPDATE violates the rule, judged as if it were created.
  private Cel violatedBefore() {
    var holds = requirements(Place.OLD_OBJECT, "Before").stream().map(Requirement::holds).toList();
    return Cel.all(
        List.of(
            Cel.comparison("request.operation == \"UPDATE\""),
            match.matches(Place.OLD_OBJECT, Optional.of("CREATE")),
            Cel.all(holds).not()));
  }

  /// Returns the written message and the requirement. Kyverno makes the message of the legacy form
  /// itself, but the written one says better what to do.
  private String message(Requirement requirement) {
    var written = SpecFields.hasVariables(rule) ? "" : validate.text("message").orElse("");
    return (written.isEmpty() ? "It violates PodSecurity \"" + standard.name() + "\"." : written)
        + " "
        + requirement.control()
        + ": "
        + requirement.asks();
  }
}
