package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;

/// What a policy does to requests, also while Kyverno does not answer or cannot judge.
final class Admission {
  private Admission() {}

  /// Whether they are refused because of this policy, which is the default of all kinds that judge
  /// requests but of a GeneratingPolicy (kyverno 1.19, read in its source).
  static boolean failsClosed(LintedPolicy policy) {
    return switch (policy.kind()) {
      case CLUSTER_POLICY, NAMESPACED_POLICY ->
          LegacyPolicy.of(policy).filter(it -> it.admission() && it.failsClosed()).isPresent();
      case VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY,
          MUTATING_POLICY,
          NAMESPACED_MUTATING_POLICY,
          VALIDATING_ADMISSION_POLICY,
          MUTATING_ADMISSION_POLICY ->
          judgesRequests(policy) && !says(policy, "Ignore");
      case GENERATING_POLICY, NAMESPACED_GENERATING_POLICY ->
          judgesRequests(policy) && says(policy, "Fail");
      default -> false;
    };
  }

  /// Whether a request is refused where this policy cannot be worked out, as an expression fails or
  /// a service does not answer. In Kyverno's validating CEL policies that depends on Deny alone
  /// (kyverno 1.19, read in its source).
  static boolean refusesOnError(LintedPolicy policy) {
    return switch (policy.kind()) {
      case VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY ->
          judgesRequests(policy) && denies(policy);
      default -> failsClosed(policy);
    };
  }

  /// Whether a CEL policy blocks what breaks it; without validationActions it does.
  static boolean denies(LintedPolicy policy) {
    return switch (policy.kind()) {
      case VALIDATING_POLICY,
          NAMESPACED_VALIDATING_POLICY,
          IMAGE_VALIDATING_POLICY,
          NAMESPACED_IMAGE_VALIDATING_POLICY -> {
        var actions = policy.spec().texts("validationActions");
        yield actions.isEmpty() || actions.contains("Deny");
      }
      default -> false;
    };
  }

  private static boolean judgesRequests(LintedPolicy policy) {
    return policy
        .spec()
        .at("evaluation", "admission", "enabled")
        .filter(node -> node.is(false))
        .isEmpty();
  }

  private static boolean says(LintedPolicy policy, String failurePolicy) {
    return policy.spec().text("failurePolicy").filter(failurePolicy::equals).isPresent();
  }
}
