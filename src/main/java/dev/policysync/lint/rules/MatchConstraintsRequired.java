package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports CEL policies that match no resources, or do nothing.
///
/// Source: Kyverno 1.19, `vpol.Validate`, `mpol.Validate`, `gpol.Validate`, `dpol.Validate`.
final class MatchConstraintsRequired implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS053",
        LintSeverity.ERROR,
        AffectedVersions.since("1.17"),
        "CEL policy without matchConstraints",
        """
        Kyverno rejects a ValidatingPolicy, MutatingPolicy, GeneratingPolicy or DeletingPolicy, of the cluster or a \
        namespace, without `matchConstraints.resourceRules`, also if it is only for JSON that the command line \
        judges, and a MutatingPolicy that mutates neither requests nor existing objects.\
        """,
        "Set spec.matchConstraints.resourceRules.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var required =
        switch (policy.kind().type()) {
          case VALIDATING, MUTATING, GENERATING, DELETING -> true;
          case RULES,
              CLEANUP,
              IMAGE_VALIDATING,
              VALIDATING_ADMISSION,
              MUTATING_ADMISSION,
              VALIDATING_BINDING,
              MUTATING_BINDING,
              RULE_EXCEPTION,
              CEL_POLICY_EXCEPTION,
              CONTEXT_ENTRY ->
              false;
        };
    if (required && policy.spec().items("matchConstraints", "resourceRules").isEmpty()) {
      found.at(
          policy.spec().at("matchConstraints").orElse(policy.spec()),
          "the policy matches no resources; Kyverno rejects it");
    }
    if (policy.kind().type() == PolicyKind.Type.MUTATING) {
      policy
          .spec()
          .at("evaluation")
          .filter(
              node -> node.at("admission").filter(it -> it.isSetTo("enabled", false)).isPresent())
          .filter(
              node -> node.at("mutateExisting").filter(it -> it.isSetTo("enabled", true)).isEmpty())
          .ifPresent(node ->
              found.at(
                  node,
                  "the policy mutates neither requests nor existing objects; Kyverno rejects it",
                  "Enable evaluation.admission or evaluation.mutateExisting."));
    }
  }
}
