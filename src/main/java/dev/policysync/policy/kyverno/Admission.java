package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;

/// The effect of a policy on admission requests, including while Kyverno does not respond or cannot
/// evaluate the policy.
///
/// Source: Kyverno 1.19, `Spec.GetFailurePolicy` and its webhook controller, which registers no
/// webhook for a policy whose admission is switched off.
public final class Admission {
  private Admission() {}

  /// Returns whether a policy of this type evaluates requests. That is the default for all types
  /// that can.
  public static boolean judges(PolicyKind.Type type, Value.Mapping spec) {
    return switch (type) {
      case RULES -> !isFalse(spec, "admission");
      case VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          VALIDATING_ADMISSION,
          MUTATING_ADMISSION ->
          !isFalse(spec.mapping("evaluation").mapping("admission"), "enabled");
      case CLEANUP,
          DELETING,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          false;
    };
  }

  /// Returns whether requests that the policy evaluates are rejected while it cannot be evaluated.
  /// That is the default, except for a GeneratingPolicy.
  public static boolean failsClosed(PolicyKind.Type type, Value.Mapping spec) {
    return switch (type) {
      case RULES ->
          !spec.mapping("webhookConfiguration")
              .text("failurePolicy")
              .or(() -> spec.text("failurePolicy"))
              .orElse("Fail")
              .equals("Ignore");
      case VALIDATING, IMAGE_VALIDATING, MUTATING, VALIDATING_ADMISSION, MUTATING_ADMISSION ->
          !spec.text("failurePolicy").orElse("Fail").equals("Ignore");
      case GENERATING -> spec.text("failurePolicy").orElse("Ignore").equals("Fail");
      case CLEANUP,
          DELETING,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          false;
    };
  }

  /// Returns whether the policy evaluates requests and they are rejected while it cannot be
  /// evaluated.
  public static boolean judgesAndFailsClosed(PolicyKind.Type type, Value.Mapping spec) {
    return judges(type, spec) && failsClosed(type, spec);
  }

  /// Returns whether a request is rejected if evaluating this policy fails, because an expression
  /// fails or a service does not respond. For Kyverno's validating CEL policies this depends only
  /// on Deny.
  public static boolean refusesOnError(PolicyKind.Type type, Value.Mapping spec) {
    return type.validatesByCel()
        ? EffectiveActionResolver.ofActions(spec).blocksSomewhere()
        : judgesAndFailsClosed(type, spec);
  }

  private static boolean isFalse(Value.Mapping holder, String field) {
    return holder.field(field).filter(new Value.Bool(false)::equals).isPresent();
  }
}
