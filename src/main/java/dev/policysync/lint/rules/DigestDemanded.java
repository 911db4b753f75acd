package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// verifyImages that asks for digests and does not write them.
final class DigestDemanded implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS024",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Images by tag are refused",
        """
        `verifyDigest` is on by default: an image must be named by its digest. Usually nobody notices, \
        as `mutateDigest`, on by default too, writes the digest into the object first. With \
        `mutateDigest: false` and Enforce each Pod whose image has a tag only is refused, even where its \
        signature is right: `missing digest for …`. For an ImageValidatingPolicy the same holds with \
        `validationConfigurations`.\
        """,
        "Set verifyDigest: false as well, or leave mutateDigest on; keep both where every image is deployed"
            + " by digest.");
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
    if (entry.says("mutateDigest", false) && !entry.says("verifyDigest", false)) {
      found.at(
          entry.at("mutateDigest").orElse(entry),
          label
              + " writes no digests and demands them (verifyDigest is on), so an image by tag is blocked");
    }
  }
}
