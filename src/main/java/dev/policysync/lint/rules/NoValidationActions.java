package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports CEL policies and bindings without `validationActions`.
final class NoValidationActions implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS015",
        LintSeverity.WARNING,
        AffectedVersions.since("1.14"),
        "Missing validationActions default to Deny",
        """
        A ValidatingPolicy or ImageValidatingPolicy without `validationActions` denies requests, while a ClusterPolicy without an action only audits. A ValidatingAdmissionPolicyBinding without the field is rejected by the API server and reported as an error.\
        """,
        "Set validationActions: [Deny], or [Audit] to report only.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!policy.spec().items("validationActions").isEmpty()) {
      return;
    }
    var node =
        policy
            .spec()
            .at("validationActions")
            .or(() -> policy.root().at("spec"))
            .orElse(policy.root());
    if (policy.kind().type() == PolicyKind.Type.VALIDATING_BINDING) {
      found.at(
          node,
          LintSeverity.ERROR,
          "the binding has no validationActions, so the API server rejects it");
    } else if (policy.kind().type().validatesByCel()) {
      found.at(node, "the policy does not set validationActions, so it denies");
    }
  }
}
