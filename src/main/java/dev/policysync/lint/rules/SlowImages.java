package dev.policysync.lint.rules;

import dev.policysync.base.Value;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.math.BigDecimal;
import java.util.Optional;

/// Reports image verification that may exceed the webhook timeout, or that background scans repeat.
final class SlowImages implements Rule {
  private static final int SECONDS = 10;

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS025",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Slow image verification",
        """
        Verifying an image calls its registry; attestations take several downloads per image. The webhook timeout, 10 seconds by default, applies to all policies and images of a request together; on timeout, the request is rejected or allowed unverified, depending on `failurePolicy`. Attestations with the default timeout are a warning if requests are rejected, otherwise a note; up to 30 seconds can be set.

        With `background` on, which is the default, every hourly scan queries the registry again for the images of all running Pods. A registry with rate limits then returns errors, and reports change without a change in the cluster; this is a note.\
        """,
        "Set webhookConfiguration.timeoutSeconds to 30.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      var rule = legacy.rules().stream().filter(it -> it.node().has("verifyImages")).findFirst();
      if (rule.isPresent()) {
        legacy.rules().stream()
            .flatMap(it -> it.node().items("verifyImages").stream())
            .flatMap(entry -> entry.at("attestations").stream())
            .findFirst()
            .ifPresent(attestations -> judgeTime(attestations, policy, found));
        if (legacy.background()) {
          scanned(
              policy.spec().at("background").or(() -> rule.get().node().at("verifyImages")),
              "Set spec.background: false.",
              found);
        }
      }
    }
    if (CelImages.is(policy)) {
      policy.spec().at("attestations").ifPresent(node -> judgeTime(node, policy, found));
      var enabled = policy.spec().at("evaluation", "background", "enabled");
      if (enabled.filter(node -> node.is(false)).isEmpty()) {
        scanned(
            enabled.or(() -> Optional.of(policy.spec())),
            "Set spec.evaluation.background.enabled: false.",
            found);
      }
    }
  }

  private static void scanned(Optional<Node> node, String fix, LintFindingSink found) {
    node.ifPresent(where ->
        found.at(
            where,
            LintSeverity.NOTE,
            "every background scan queries the registry for all images again",
            fix));
  }

  private static void judgeTime(Node attestations, LintedPolicy policy, LintFindingSink found) {
    var set =
        policy
            .spec()
            .at("webhookConfiguration", "timeoutSeconds")
            .or(() -> policy.spec().at("webhookTimeoutSeconds"));
    var seconds = set.flatMap(SlowImages::number).orElse(BigDecimal.valueOf(SECONDS));
    if (seconds.compareTo(BigDecimal.valueOf(SECONDS)) <= 0) {
      found.at(
          set.orElse(attestations),
          Admission.judgesAndFailsClosed(policy.kind().type(), policy.spec().mapping())
              ? LintSeverity.WARNING
              : LintSeverity.NOTE,
          "attestations must be downloaded within "
              + seconds.toPlainString()
              + " seconds, which is often too short");
    }
  }

  private static Optional<BigDecimal> number(Node node) {
    return node.value() instanceof Value.Numeric(String literal)
        ? Optional.of(new BigDecimal(literal))
        : Optional.empty();
  }
}
