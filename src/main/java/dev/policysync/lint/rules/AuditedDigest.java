package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.FailureAction;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// verifyImages that only reports, and yet is to write digests into objects.
final class AuditedDigest implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS023",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "verifyImages in Audit writes digests",
        """
        A `verifyImages` entry replaces tags by the digest that was verified, unless `mutateDigest: false` \
        says otherwise. Where the action is Audit, nothing is verified for sure, so Kyverno's webhook \
        refuses the policy: `mutateDigest must be set to false for 'Audit' failure action`. Audit is the \
        default: an entry counts as audited as long as neither it nor one before it says Enforce, and the \
        policy's own `validationFailureAction` does not either. Five policies of Kyverno's library are \
        refused for this.\
        """,
        "Set mutateDigest: false in the entry, or failureAction: Enforce.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var audited = !enforces(policy.spec(), "validationFailureAction");
      for (var entry : rule.node().items("verifyImages")) {
        audited = entry.has("failureAction") ? !enforces(entry, "failureAction") : audited;
        if (audited && !entry.says("mutateDigest", false)) {
          found.at(
              entry.at("mutateDigest").or(() -> entry.at("failureAction")).orElse(entry),
              rule.label()
                  + " only reports, and replaces tags by digests; Kyverno refuses the two together");
        }
      }
    }
  }

  private static boolean enforces(Node node, String field) {
    return node.text(field).filter(FailureAction::enforces).isPresent();
  }
}
