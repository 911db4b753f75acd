package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.MatchTranslation.ScopedMatches;
import dev.policysync.convert.PodSecurityStandard.Requirement;
import dev.policysync.policy.kyverno.KindName;
import java.util.List;

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

  PodSecurityRule(Value.Mapping policy, Value.Mapping rule, boolean enforces) {
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

  SuccessorSpec spec() {
    var spec =
        new SuccessorSpec(match.resourceRules(OPERATIONS)).matched(match.condition(Place.OBJECT));
    var allowed = Cel.FALSE;
    var requirements = requirements(Place.OBJECT, "", spec);
    if (enforces && ExistingViolations.areAllowed(rule)) {
      var holds = requirements(Place.OLD_OBJECT, "Before", spec).stream().map(Requirement::holds);
      var violated =
          ExistingViolations.violatedBefore(
              match.matches(Place.OLD_OBJECT), Cel.all(holds.toList()).not());
      spec.variable("violatedBefore", violated.text());
      allowed = Cel.call("variables.violatedBefore");
    }
    for (var requirement : requirements) {
      spec.validation(allowed.or(requirement.holds()), message(requirement));
    }
    return spec;
  }

  /// Returns the requirements on the Pod of the object, and adds the variables that they use.
  private List<Requirement> requirements(Place object, String suffix, SuccessorSpec spec) {
    var ofPod = new PodVariables(match.kinds(), object, suffix);
    ofPod.expressions().forEach(spec::variable);
    return standard.requirements(ofPod);
  }

  /// Returns the written message and the requirement. Kyverno makes the message of the legacy form
  /// itself, but the written one says better what to do.
  private String message(Requirement requirement) {
    var written = SuccessorSpec.hasVariables(rule) ? "" : validate.text("message").orElse("");
    return (written.isEmpty() ? "It violates PodSecurity \"" + standard.name() + "\"." : written)
        + " "
        + requirement.control()
        + ": "
        + requirement.asks();
  }
}
