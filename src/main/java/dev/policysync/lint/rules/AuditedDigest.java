package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.FailureAction;

/// Reports `verifyImages` entries that only audit, but are set to write digests into objects.
final class AuditedDigest implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS023",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "verifyImages with Audit mutates digests",
        """
        A `verifyImages` entry replaces tags with the verified digest, unless `mutateDigest: false` is set. With \
        the action Audit the image may not have been verified, so Kyverno's webhook rejects the policy: \
        `mutateDigest must be set to false for 'Audit' failure action`. Audit is the default: an entry is audited \
        unless it, an earlier entry, or the policy's `validationFailureAction` sets Enforce. Five policies of \
        Kyverno's library are rejected for this reason.\
        """,
        "Set mutateDigest: false in the entry, or failureAction: Enforce.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var audited = !enforces(policy.spec(), "validationFailureAction");
      for (var entry : rule.node().items("verifyImages")) {
        audited = entry.has("failureAction") ? !enforces(entry, "failureAction") : audited;
        if (audited && !entry.isSetTo("mutateDigest", false)) {
          found.at(
              entry.at("mutateDigest").or(() -> entry.at("failureAction")).orElse(entry),
              rule.label()
                  + " only audits but replaces tags with digests; Kyverno rejects this"
                  + " combination");
        }
      }
    }
  }

  private static boolean enforces(Node node, String field) {
    return node.text(field).filter(FailureAction::enforces).isPresent();
  }
}
