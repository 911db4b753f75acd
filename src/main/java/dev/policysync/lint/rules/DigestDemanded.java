package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports `verifyImages` entries that require digests, but do not add them.
final class DigestDemanded implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS024",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Images without a digest are blocked",
        """
        `verifyDigest` is on by default: an image must be referenced by digest. Usually `mutateDigest`, also on by \
        default, first writes the digest into the object. With `mutateDigest: false` and Enforce every Pod whose \
        image has only a tag is rejected, even if its signature is valid: `missing digest for …`. For an \
        ImageValidatingPolicy the same holds with `validationConfigurations`.\
        """,
        "Set verifyDigest: false as well, or keep mutateDigest on; keep the policy if every"
            + " image is deployed by digest.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (rule.blocks()) {
        rule.node().items("verifyImages").forEach(entry -> judge(entry, rule.label(), found));
      }
    }
    if (CelImages.denies(policy)) {
      policy
          .spec()
          .at("validationConfigurations")
          .ifPresent(configuration -> judge(configuration, "the policy", found));
    }
  }

  private static void judge(Node entry, String label, LintFindingSink found) {
    if (entry.isSetTo("mutateDigest", false) && !entry.isSetTo("verifyDigest", false)) {
      found.at(
          entry.at("mutateDigest").orElse(entry),
          label
              + " requires digests (verifyDigest) but does not add them (mutateDigest), so"
              + " images with a tag are blocked");
    }
  }
}
