package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// Generate rules that do not say who looks after the result.
final class GenerateWithoutSynchronize implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS012",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Generated, and then left alone",
        """
        Without `synchronize: true`, what a rule generates is made once. A later change of the rule does not reach \
        it, somebody may edit or delete it, and it stays when the trigger or the policy goes. That can be what is \
        meant, so write down which: `synchronize: false` is taken as such. With `synchronize: true`, deleting \
        the policy deletes what it made, unless `orphanDownstreamOnPolicyDelete` is set.\
        """,
        "Say synchronize: true, or synchronize: false where it is meant so.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      rule.node()
          .at("generate")
          .filter(generate -> !generate.has("synchronize"))
          .ifPresent(generate ->
              found.at(
                  generate,
                  rule.label()
                      + " does not say synchronize, so nothing keeps or cleans up what it generates"));
    }
  }
}
