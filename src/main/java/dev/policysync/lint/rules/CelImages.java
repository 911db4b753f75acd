package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.policy.PolicyKind;

/// Recognizes an ImageValidatingPolicy, cluster-scoped or namespaced.
final class CelImages {
  private CelImages() {}

  static boolean is(LintedPolicy policy) {
    return policy.kind().type() == PolicyKind.Type.IMAGE_VALIDATING;
  }

  static boolean denies(LintedPolicy policy) {
    return is(policy) && new CelPolicy(policy).denies();
  }
}
