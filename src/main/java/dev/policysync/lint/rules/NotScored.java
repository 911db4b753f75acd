package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// A policy that blocks, and whose failures reports call warnings.
final class NotScored implements Rule {
  private static final String ANNOTATION = "policies.kyverno.io/scored";

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS029",
        LintSeverity.NOTE,
        AffectedVersions.ALL,
        "Failures are reported as warnings",
        """
        With the annotation `policies.kyverno.io/scored: "false"` a result that fails is reported as `warn`. \
        Whoever counts or exports failures, as this agent's `report` does, does not see these. Where the \
        policy blocks, that is a warning: reports then play down what a new Pod is refused for, and before a \
        change from Audit to Enforce nobody can count what it would block.\
        """,
        "Remove the annotation.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    policy
        .annotation(ANNOTATION)
        .filter(node -> node.isText("false"))
        .ifPresent(node -> {
          if (blocks(policy)) {
            found.at(
                node,
                LintSeverity.WARNING,
                "what this policy blocks is reported as a warning only");
          } else {
            found.at(node, "failures of this policy are reported as warnings");
          }
        });
  }

  private static boolean blocks(LintedPolicy policy) {
    return LegacyPolicy.rulesOf(policy).stream().anyMatch(LegacyRule::blocks)
        || CelPolicy.of(policy).filter(CelPolicy::denies).isPresent();
  }
}
