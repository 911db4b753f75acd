package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.cel.Cel;

/// CEL that breaks the grammar.
final class CelSyntax implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS020",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A CEL expression that cannot be read",
        """
        An expression breaks the grammar of CEL: a bracket or a quote is not closed, something is left \
        over, an operator has one side only. The API server refuses such a ValidatingAdmissionPolicy, and \
        a policy of Kyverno with it never gets ready, so nothing is judged by it.

        All expressions are read: validations and their messages, match conditions, variables, audit \
        annotations, mutations, `generate`, deletion conditions, images and attestors, and `validate.cel` \
        and `celPreconditions` of a ClusterPolicy. Types are not looked at, nor whether a function exists: \
        Kyverno adds libraries of its own. Only `lint` looks for this, and a sync with `LINT=block`; any other leaves it to the API server.\
        """,
        "Mend the expression at the mark.");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    CelExpressions.of(policy).forEach(node -> judge(node, found));
  }

  private static void judge(Node node, LintFindingSink found) {
    if (Cel.read(node.text().orElse("")) instanceof Cel.Broken(int index, String reason)) {
      found.at(node, index, "this CEL expression cannot be read: " + reason);
    }
  }
}
