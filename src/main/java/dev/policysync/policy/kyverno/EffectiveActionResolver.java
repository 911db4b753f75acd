package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveAction.ActionOverride;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads the action for requests that break a policy from all the fields that may set it.
///
/// Source: Kyverno 1.19, `EngineResponse.failureActionForRule`, and the API reference of
/// ValidatingAdmissionPolicyBinding.
public final class EffectiveActionResolver {
  private EffectiveActionResolver() {}

  /// Returns the strongest action in the object. Empty for kinds that evaluate no requests, and for
  /// a ValidatingAdmissionPolicy, because its bindings set the action.
  public static Optional<EnforcementLevel> strongest(PolicyKind kind, Value.Mapping object) {
    var spec = object.mapping("spec");
    return switch (kind.type()) {
      case RULES -> Optional.of(level(rules(spec).map(rule -> ofRule(spec, rule))));
      case VALIDATING, IMAGE_VALIDATING, VALIDATING_BINDING ->
          Optional.of(level(Stream.of(ofActions(spec))));
      case CLEANUP,
          MUTATING,
          GENERATING,
          DELETING,
          VALIDATING_ADMISSION,
          MUTATING_ADMISSION,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          Optional.empty();
    };
  }

  private static EnforcementLevel level(Stream<EffectiveAction> actions) {
    return actions.anyMatch(EffectiveAction::blocksSomewhere)
        ? EnforcementLevel.YES
        : EnforcementLevel.NO;
  }

  /// Returns the rules of a policy that are objects.
  public static Stream<Value.Mapping> rules(Value.Mapping spec) {
    return spec.items("rules").stream()
        .filter(Value.Mapping.class::isInstance)
        .map(Value.Mapping.class::cast);
  }

  /// Returns the action for a rule in a ClusterPolicy or Policy. The rule's own action takes
  /// precedence over the policy's, which is set by default on every live object. A rule that
  /// neither validates nor verifies images blocks nothing.
  public static EffectiveAction ofRule(Value.Mapping spec, Value.Mapping rule) {
    return EffectiveAction.of(statements(spec, rule));
  }

  /// Returns the statements that apply to a rule, in the order in which Kyverno reads them.
  public static List<ActionStatement> statements(Value.Mapping spec, Value.Mapping rule) {
    var validates = !rule.mapping("validate").fields().isEmpty();
    if (!Admission.judges(PolicyKind.Type.RULES, spec)
        || (!validates && rule.items("verifyImages").isEmpty())) {
      return List.of();
    }
    var statements = validates ? ofValidate(rule.mapping("validate")) : ofImages(rule);
    statements.addAll(overrides(spec, List.of(), "validationFailureActionOverrides"));
    if (spec.field("validationFailureAction").isPresent()) {
      statements.add(
          ActionStatement.everywhere(
              enforces(spec, "validationFailureAction"), "validationFailureAction"));
    }
    return statements;
  }

  /// Returns the action for a kind with `validationActions`; without any action, it is Deny.
  public static EffectiveAction ofActions(Value.Mapping spec) {
    var actions = spec.items("validationActions");
    var denies = actions.isEmpty() || actions.contains(new Value.Text("Deny"));
    return denies && Admission.judges(PolicyKind.Type.VALIDATING, spec)
        ? EffectiveAction.BLOCKS
        : EffectiveAction.LETS_PASS;
  }

  private static List<ActionStatement> ofValidate(Value.Mapping validate) {
    var statements = overrides(validate, List.of("validate"), "failureActionOverrides");
    if (validate.field("failureAction").isPresent()) {
      statements.add(
          ActionStatement.everywhere(
              enforces(validate, "failureAction"), "validate", "failureAction"));
    }
    return statements;
  }

  /// Returns the first entry that enforces, otherwise the first that sets an action.
  private static List<ActionStatement> ofImages(Value.Mapping rule) {
    var all = new ArrayList<ActionStatement>();
    var items = rule.items("verifyImages");
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Value.Mapping image && image.field("failureAction").isPresent()) {
        all.add(
            ActionStatement.everywhere(
                enforces(image, "failureAction"), "verifyImages", "[" + i + "]", "failureAction"));
      }
    }
    var decides = all.stream().filter(statement -> statement.says().blocks()).findFirst();
    return new ArrayList<>(decides.or(() -> all.stream().findFirst()).stream().toList());
  }

  /// Returns the overrides with a valid action; Kyverno ignores the others.
  private static List<ActionStatement> overrides(
      Value.Mapping holder, List<String> path, String list) {
    var overrides = new ArrayList<ActionStatement>();
    var items = holder.items(list);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Value.Mapping override) {
        var place = new ArrayList<>(path);
        place.addAll(List.of(list, "[" + i + "]", "action"));
        override
            .text("action")
            .flatMap(FailureAction::of)
            .map(action ->
                new ActionOverride(
                    action == FailureAction.ENFORCE,
                    StringLists.of(override.items("namespaces")),
                    override.field("namespaceSelector")))
            .ifPresent(says -> overrides.add(new ActionStatement(place, says)));
      }
    }
    return overrides;
  }

  private static boolean enforces(Value.Mapping holder, String field) {
    return holder.text(field).filter(FailureAction::enforces).isPresent();
  }
}
