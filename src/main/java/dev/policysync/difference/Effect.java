package dev.policysync.difference;

import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a policy does to a request that breaks it: lets it pass and reports, or blocks it.
enum Effect {
  AUDIT("Audit"),
  ENFORCE("Enforce");

  private final String text;

  Effect(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }

  /// How a change of that object reads: `Audit → Enforce`; empty where the effect stays, or where
  /// the kind has none.
  static Optional<String> change(Value.Mapping before, Value.Mapping after) {
    var was = of(before);
    var is = of(after);
    return was.isPresent() && is.isPresent() && was.get() != is.get()
        ? Optional.of(was.get() + " → " + is.get())
        : Optional.empty();
  }

  /// The strongest action that the object asks for anywhere.
  static Optional<Effect> of(Value.Mapping object) {
    var spec = object.mapping("spec");
    return switch (object.text("kind").orElse("")) {
      case "ClusterPolicy", "Policy" -> Optional.of(ofRules(spec));
      case "ValidatingPolicy",
          "ImageValidatingPolicy",
          "NamespacedValidatingPolicy",
          "NamespacedImageValidatingPolicy",
          "ValidatingAdmissionPolicyBinding" ->
          Optional.of(ofActions(spec.items("validationActions")));
      default -> Optional.empty();
    };
  }

  /// A rule's own action wins over the policy's, which stands beside it as a default on every live
  /// object; so the policy's counts only for rules that say nothing.
  private static Effect ofRules(Value.Mapping spec) {
    var policyWide =
        enforces(spec.text("validationFailureAction"))
            || overridden(spec.items("validationFailureActionOverrides"));
    var enforced =
        spec.items("rules").stream()
            .filter(Value.Mapping.class::isInstance)
            .map(Value.Mapping.class::cast)
            .anyMatch(rule -> enforces(rule, policyWide));
    return enforced ? ENFORCE : AUDIT;
  }

  private static boolean enforces(Value.Mapping rule, boolean policyWide) {
    var validate = rule.mapping("validate");
    var images = rule.items("verifyImages");
    if (validate.fields().isEmpty() && images.isEmpty()) {
      return false;
    }
    var actions =
        Stream.concat(
                validate.text("failureAction").stream(),
                images.stream()
                    .filter(Value.Mapping.class::isInstance)
                    .map(Value.Mapping.class::cast)
                    .flatMap(image -> image.text("failureAction").stream()))
            .toList();
    return actions.isEmpty()
        ? policyWide || overridden(validate.items("failureActionOverrides"))
        : actions.stream().anyMatch(action -> enforces(Optional.of(action)))
            || overridden(validate.items("failureActionOverrides"));
  }

  private static boolean overridden(List<Value> overrides) {
    return overrides.stream()
        .anyMatch(
            item -> item instanceof Value.Mapping override && enforces(override.text("action")));
  }

  private static boolean enforces(Optional<String> action) {
    return action.filter("enforce"::equalsIgnoreCase).isPresent();
  }

  /// No action at all means Deny.
  private static Effect ofActions(List<Value> actions) {
    return actions.isEmpty() || actions.contains(new Value.Text("Deny")) ? ENFORCE : AUDIT;
  }
}
