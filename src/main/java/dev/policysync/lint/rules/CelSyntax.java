package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.Cel;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports CEL expressions that do not parse.
final class CelSyntax implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS020",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "CEL expression does not parse",
        """
        An expression is not valid CEL, e.g. with an unclosed bracket or quote, trailing tokens, or a missing \
        operand. The API server rejects such a ValidatingAdmissionPolicy; a Kyverno policy with it never becomes \
        ready and enforces nothing.

        All expressions are parsed: validations and their messages, match conditions, variables, audit annotations, \
        mutations, `generate`, deletion conditions, images and attestors, and `validate.cel` and `celPreconditions` \
        of a ClusterPolicy. Types and the existence of functions are not checked, because Kyverno adds its own \
        libraries. Only `lint` and a sync with `LINT=block` check this; other syncs leave it to the API server.\
        """,
        "Fix the expression at the marked position.");
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
    if (Cel.read(node.text().orElse("")) instanceof Cel.Invalid(int index, String reason)) {
      found.at(node, index, "the CEL expression does not parse: " + reason);
    }
  }
}
