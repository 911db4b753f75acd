package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports generate rules that do not set `synchronize`.
final class GenerateWithoutSynchronize implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS012",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Generated objects are not synchronized",
        """
        Without `synchronize: true`, an object is generated once. Later changes of the rule are not applied to it, \
        it can be edited or deleted, and it remains when the trigger or the policy is deleted. If this is \
        intended, set `synchronize: false` explicitly. With `synchronize: true`, deleting the policy deletes the \
        generated objects, unless `orphanDownstreamOnPolicyDelete` is set.\
        """,
        "Set synchronize: true, or synchronize: false if this is intended.");
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
                      + " does not set synchronize, so generated objects are neither updated nor"
                      + " cleaned up"));
    }
  }
}
