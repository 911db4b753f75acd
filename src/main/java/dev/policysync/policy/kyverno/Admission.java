package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;

/// What a policy does to requests, also while Kyverno does not answer or cannot judge.
///
/// Source: Kyverno 1.19, `Spec.GetFailurePolicy` and its webhook controller, which registers no
/// webhook for a policy whose admission is switched off.
public final class Admission {
  private Admission() {}

  /// Whether requests are judged by a policy of that type, which is the default of all that can.
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

  /// Whether those that it judges are refused while nobody can judge them, which is the default but
  /// of a GeneratingPolicy.
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

  /// Whether it judges requests, and they are refused while nobody can judge them.
  public static boolean refusesUnjudged(PolicyKind.Type type, Value.Mapping spec) {
    return judges(type, spec) && failsClosed(type, spec);
  }

  /// Whether a request is refused where this policy cannot be worked out, as an expression fails or
  /// a service does not answer. In Kyverno's validating CEL policies that depends on Deny alone.
  public static boolean refusesOnError(PolicyKind.Type type, Value.Mapping spec) {
    return type.validatesByCel()
        ? EffectiveActionResolver.ofActions(spec).blocksSomewhere()
        : refusesUnjudged(type, spec);
  }

  private static boolean isFalse(Value.Mapping holder, String field) {
    return holder.field(field).filter(new Value.Bool(false)::equals).isPresent();
  }
}
