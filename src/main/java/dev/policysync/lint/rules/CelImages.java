package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.policy.PolicyKind;

/// An ImageValidatingPolicy, of a cluster or a namespace.
final class CelImages {
  private CelImages() {}

  static boolean is(LintedPolicy policy) {
    return policy.kind().type() == PolicyKind.Type.IMAGE_VALIDATING;
  }

  /// Whether it is one that blocks.
  static boolean denies(LintedPolicy policy) {
    return is(policy) && new CelPolicy(policy).denies();
  }
}
