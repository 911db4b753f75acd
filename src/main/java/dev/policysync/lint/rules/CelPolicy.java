package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import java.util.List;
import java.util.Optional;

/// A policy that selects resources by `matchConstraints` and evaluates them with CEL: Kyverno's
/// newer kinds and the API server's own.
record CelPolicy(LintedPolicy lintedPolicy) {
  static Optional<CelPolicy> of(LintedPolicy lintedPolicy) {
    return choosesByConstraints(lintedPolicy.kind().type())
        ? Optional.of(new CelPolicy(lintedPolicy))
        : Optional.empty();
  }

  private static boolean choosesByConstraints(PolicyKind.Type type) {
    return switch (type) {
      case VALIDATING,
          IMAGE_VALIDATING,
          MUTATING,
          GENERATING,
          DELETING,
          VALIDATING_ADMISSION,
          MUTATING_ADMISSION ->
          true;
      case RULES,
          CLEANUP,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          false;
    };
  }

  Node spec() {
    return lintedPolicy.spec();
  }

  List<Node> resources() {
    return spec().items("matchConstraints", "resourceRules").stream()
        .flatMap(rule -> rule.items("resources").stream())
        .toList();
  }

  /// Returns whether the policy rejects violations. Missing `validationActions` mean Deny.
  boolean denies() {
    return type().validatesByCel()
        && EffectiveActionResolver.ofActions(spec().mapping()).blocksSomewhere();
  }

  /// Returns whether admission requests wait for Kyverno because of this policy.
  boolean evaluatesRequests() {
    return (type().validatesByCel() || type() == PolicyKind.Type.MUTATING)
        && Admission.judges(type(), spec().mapping());
  }

  /// Returns whether requests are rejected while Kyverno does not answer, which is the default.
  boolean failsClosed() {
    return Admission.failsClosed(type(), spec().mapping());
  }

  private PolicyKind.Type type() {
    return lintedPolicy.kind().type();
  }
}
