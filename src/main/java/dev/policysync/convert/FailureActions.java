package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The failure actions of a rule, where they depend on the namespace. A successor has a single
/// action, so such a rule gets two successors, each for some of the namespaces.
///
/// Source: Kyverno 1.19.1. A request is blocked if both the policy cache
/// (`checkValidationFailureActionOverrides`) and the engine (`failureActionForRule`) find Enforce.
/// In both, the first override that names the namespace decides; where they would disagree, there
/// is no successor.
final class FailureActions {
  private final Value.Mapping holder;
  private final String field;

  /// The namespaces in which one action applies.
  ///
  /// @param suffix the ending of the successor's name, if another successor of the rule has the
  ///   plain one
  record Part(boolean enforces, Cel namespaces, Optional<String> suffix) {
    /// Returns the action as a ValidatingPolicy names it: `Deny`, `Audit`.
    Value action() {
      return new Value.Text(enforces ? "Deny" : "Audit");
    }
  }

  private FailureActions(Value.Mapping holder, String field) {
    this.holder = holder;
    this.field = field;
  }

  /// Returns the actions of a rule.
  ///
  /// @param enforces whether violations are blocked in namespaces without an override
  /// @param namespace a CEL expression for the object's namespace
  static List<Part> of(Value.Mapping spec, Value.Mapping rule, boolean enforces, String namespace) {
    var validate = rule.mapping("validate");
    var ofRule = new FailureActions(validate, "failureActionOverrides");
    var ofPolicy = new FailureActions(spec, "validationFailureActionOverrides");
    if (ofPolicy.overrides().isEmpty()) {
      return ofRule.parts(rule, enforces, namespace);
    }
    if (!ofRule.overrides().isEmpty() || validate.field("failureAction").isPresent()) {
      throw ofPolicy.refusal(
          "failure actions by namespace beside those of a rule",
          "Kyverno's parts disagree which of them counts; write all of them in the rules");
    }
    return ofPolicy.parts(rule, enforces, namespace);
  }

  private List<Part> parts(Value.Mapping rule, boolean enforces, String namespace) {
    var others = otherActionApplies(enforces, namespace);
    if (others.equals(Cel.FALSE)) {
      return List.of(new Part(enforces, Cel.TRUE, Optional.empty()));
    }
    if (MatchTranslation.translate(rule, RuleScope.WRITTEN).matchesNamespaces()) {
      throw refusal(
          "failure actions by namespace of a rule about Namespaces",
          "Kyverno's parts disagree in which namespace a Namespace is; write a rule of its own");
    }
    return List.of(
        new Part(enforces, others.not(), Optional.empty()),
        new Part(!enforces, others, Optional.of(enforces ? "audit" : "enforce")));
  }

  /// Tests whether the other action applies in the namespace.
  private Cel otherActionApplies(boolean enforces, String namespace) {
    var others = Cel.FALSE;
    for (var override : overrides().reversed()) {
      var named = names(override, namespace);
      var action =
          override
              .text("action")
              .flatMap(FailureAction::of)
              .orElseThrow(() ->
                  Untranslatable.value(
                      override, "an unknown failure action", "use Audit or Enforce"));
      others =
          (action == FailureAction.ENFORCE) == enforces
              ? named.not().and(others)
              : named.or(others);
    }
    return others;
  }

  private Cel names(Value.Mapping override, String namespace) {
    var globs = StringItems.of(override, "namespaces");
    if (override.field("namespaceSelector").isPresent()
        || globs.isEmpty()
        || globs.stream().anyMatch(glob -> Glob.matches(glob, ""))) {
      throw Untranslatable.value(
          override,
          "a failure action for namespaces that are not named",
          "name the namespaces, or write the action as failureAction");
    }
    return GlobTest.matchesAny(namespace, globs);
  }

  private List<Value.Mapping> overrides() {
    var overrides = new ArrayList<Value.Mapping>();
    for (var item : holder.items(field)) {
      if (!(item instanceof Value.Mapping override)) {
        throw refusal("an unknown failure action", "write action and namespaces");
      }
      overrides.add(override);
    }
    return overrides;
  }

  private Untranslatable refusal(String construct, String advice) {
    return Untranslatable.field(holder, field, construct, advice);
  }
}
