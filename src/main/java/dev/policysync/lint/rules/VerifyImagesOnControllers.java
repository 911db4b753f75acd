package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Autogen;

/// Reports enforced `verifyImages` rules that apply to Deployments and other pod controllers, and
/// can block their updates.
final class VerifyImagesOnControllers implements Rule {
  private static final AffectedVersions FIXED = AffectedVersions.since("1.18.2");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS001",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "verifyImages with Enforce applies to pod controllers",
        """
        Unless autogen is disabled, Kyverno applies a `verifyImages` rule for Pods to Deployments, StatefulSets, \
        DaemonSets, Jobs and CronJobs as well. There it interferes with later updates:

        - Up to 1.10.0, if one of several images of a controller changes, the unchanged ones are skipped and then \
        reported missing: `unverified image …` (kyverno#5821, #7651).
        - Up to 1.12.6, and in 1.13.0, an update by a client that drops or rewrites the annotation \
        `kyverno.io/verify-images` (helm --force, a PUT, a rollback, a sidecar injector) is rejected: \
        `kyverno.io/verify-images annotation cannot be changed` (kyverno#11528, #11529, #11544).
        - From 1.12.7 to 1.18.2 an image that an update does not change is treated as verified without a check.
        - Since 1.19 the first update of every existing workload, even of its scale, is verified again and blocked \
        if an image is not signed (kyverno#16800).

        A rule is reported if it enforces, an entry has `required` (the default), and it either matches a \
        controller or meets the conditions of autogen. This is a warning, and an error if the release of \
        Kyverno is given (`--kyverno-version`) and older than 1.18.2.\
        """,
        "Match only Pod, and set the annotation pod-policies.kyverno.io/autogen-controllers: none."
            + " Pods are still verified, whatever creates them.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var images = rule.node().at("verifyImages");
      if (images.isEmpty()
          || !rule.blocks()
          || rule.node().items("verifyImages").stream()
              .allMatch(entry -> entry.isSetTo("required", false))) {
        continue;
      }
      var lintSeverity = found.mayBeAffected(FIXED) ? LintSeverity.WARNING : LintSeverity.ERROR;
      var direct = Autogen.controller(rule.node().mapping());
      if (direct.isPresent()) {
        found.at(images.get(), lintSeverity, onController(rule, direct.get()));
      } else if (Autogen.appliesTo(policy.root().mapping(), rule.node().mapping())) {
        found.at(images.get(), lintSeverity, byAutogen(rule));
      }
    }
  }

  private static String onController(LegacyRule rule, String kind) {
    return rule.label()
        + " verifies the images of a "
        + kind
        + " itself, not only of its Pods; later updates of a workload with several images can be"
        + " blocked"
        + " (\"unverified image\", \"annotation cannot be changed\")";
  }

  private static String byAutogen(LegacyRule rule) {
    return rule.label()
        + " matches Pods, but Kyverno's autogen applies it to Deployments and other pod"
        + " controllers; later updates of a workload with several images can be blocked"
        + " (\"unverified image\","
        + " \"annotation cannot be changed\")";
  }
}
