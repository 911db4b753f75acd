package dev.policysync.kyverno;

import dev.policysync.json.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads what is done to requests that break a policy, from all the places where it may stand.
///
/// Source: Kyverno 1.19, `EngineResponse.failureActionForRule`, and the API reference of
/// ValidatingAdmissionPolicyBinding.
public final class EffectiveActionResolver {
  private EffectiveActionResolver() {}

  /// The strongest answer that the object gives anywhere; empty for kinds that judge no requests,
  /// and for a ValidatingAdmissionPolicy, whose bindings say it.
  public static Optional<EnforcementLevel> strongest(Value.Mapping object) {
    var spec = object.mapping("spec");
    return switch (object.text("kind").orElse("")) {
      case "ClusterPolicy", "Policy" ->
          Optional.of(
              rules(spec).anyMatch(rule -> ofRule(spec, rule).blocksSomewhere())
                  ? EnforcementLevel.YES
                  : EnforcementLevel.NO);
      case "ValidatingPolicy",
          "ImageValidatingPolicy",
          "NamespacedValidatingPolicy",
          "NamespacedImageValidatingPolicy",
          "ValidatingAdmissionPolicyBinding" ->
          Optional.of(ofActions(spec).otherwise() ? EnforcementLevel.YES : EnforcementLevel.NO);
      default -> Optional.empty();
    };
  }

  /// The rules of a policy that are objects.
  public static Stream<Value.Mapping> rules(Value.Mapping spec) {
    return spec.items("rules").stream()
        .filter(Value.Mapping.class::isInstance)
        .map(Value.Mapping.class::cast);
  }

  /// Of a rule in a ClusterPolicy or Policy: what it says itself wins over what the policy says,
  /// which stands beside it as a default on every live object. A rule that neither validates nor
  /// verifies blocks nothing.
  public static EffectiveAction ofRule(Value.Mapping spec, Value.Mapping rule) {
    var validate = rule.mapping("validate");
    var images = rule.items("verifyImages");
    if (isFalse(spec, "admission") || (validate.fields().isEmpty() && images.isEmpty())) {
      return EffectiveAction.LETS_PASS;
    }
    var overrides = new ArrayList<EffectiveAction.Exemption>();
    Optional<Boolean> own;
    if (validate.fields().isEmpty()) {
      own = ofImages(images);
    } else {
      overrides.addAll(overrides(validate.items("failureActionOverrides")));
      own = action(validate, "failureAction");
    }
    if (own.isPresent()) {
      return new EffectiveAction(overrides, own.get());
    }
    overrides.addAll(overrides(spec.items("validationFailureActionOverrides")));
    return new EffectiveAction(overrides, action(spec, "validationFailureAction").orElse(false));
  }

  /// Of a kind with `validationActions`: no action at all means Deny.
  public static EffectiveAction ofActions(Value.Mapping spec) {
    var actions = spec.items("validationActions");
    var admits = !isFalse(spec.mapping("evaluation").mapping("admission"), "enabled");
    var denies = actions.isEmpty() || actions.contains(new Value.Text("Deny"));
    return admits && denies ? EffectiveAction.BLOCKS : EffectiveAction.LETS_PASS;
  }

  /// Enforce if any entry says so, else the first that says anything.
  private static Optional<Boolean> ofImages(List<Value> images) {
    var actions =
        images.stream()
            .filter(Value.Mapping.class::isInstance)
            .flatMap(image -> action((Value.Mapping) image, "failureAction").stream())
            .toList();
    return actions.contains(true) ? Optional.of(true) : actions.stream().findFirst();
  }

  /// Those with an action that is one; Kyverno passes over the others.
  private static List<EffectiveAction.Exemption> overrides(List<Value> items) {
    return items.stream()
        .filter(Value.Mapping.class::isInstance)
        .map(Value.Mapping.class::cast)
        .flatMap(item ->
            action(item, "action")
                .map(blocks ->
                    new EffectiveAction.Exemption(
                        blocks,
                        StringLists.of(item.items("namespaces")),
                        item.field("namespaceSelector")))
                .stream())
        .toList();
  }

  private static Optional<Boolean> action(Value.Mapping holder, String field) {
    return holder.text(field).flatMap(EffectiveActionResolver::blocks);
  }

  private static Optional<Boolean> blocks(String action) {
    return switch (action) {
      case "Enforce", "enforce" -> Optional.of(true);
      case "Audit", "audit" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static boolean isFalse(Value.Mapping holder, String field) {
    return holder.field(field).filter(new Value.Bool(false)::equals).isPresent();
  }
}
