package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.policy.PolicyKind;

/// An ImageValidatingPolicy, of a cluster or a namespace.
final class CelImages {
  private CelImages() {}

  static boolean is(LintedPolicy policy) {
    return policy.kind() == PolicyKind.IMAGE_VALIDATING_POLICY
        || policy.kind() == PolicyKind.NAMESPACED_IMAGE_VALIDATING_POLICY;
  }

  /// Whether it is one that blocks.
  static boolean denies(LintedPolicy policy) {
    return is(policy) && Admission.denies(policy);
  }
}
