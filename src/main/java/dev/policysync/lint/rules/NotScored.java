package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports policies whose failures are only warnings in policy reports, above all policies that
/// block.
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
        With the annotation `policies.kyverno.io/scored: "false"` failures are reported as `warn` and are missing \
        from failure counts and exports, such as this agent's `report`. For a blocking policy this is a warning: \
        reports understate what is rejected, and the impact of a change from Audit to Enforce cannot be counted.\
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
                "violations that this policy blocks are reported only as warnings");
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
