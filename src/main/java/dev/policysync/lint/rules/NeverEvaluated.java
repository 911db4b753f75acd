package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;
import java.util.stream.Stream;

/// A policy that judges neither requests nor what exists.
final class NeverEvaluated implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS037",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Neither admission nor background",
        """
        `admission: false` leaves requests alone, `background: false` what exists; with both, a policy never \
        judges anything, and Kyverno refuses it. It also refuses `admission: false` with rules that mutate, \
        generate or verify images: only requests set those off. A CEL policy with both switched off in \
        `evaluation` is idle; that is a warning.\
        """,
        "Switch one of them on, or remove the policy.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      var admission = legacy.spec().at("admission").filter(node -> node.is(false));
      if (admission.isPresent() && !legacy.background()) {
        found.at(
            admission.get(),
            "this policy judges neither requests nor what exists; Kyverno refuses it");
      } else if (admission.isPresent()) {
        for (var action : List.of("mutate", "generate", "verifyImages")) {
          legacy.rules().stream()
              .flatMap(rule -> rule.node().at(action).stream())
              .findFirst()
              .ifPresent(node ->
                  found.at(
                      node,
                      "Kyverno refuses "
                          + action
                          + " with admission: false, as only requests set it off",
                      "Remove spec.admission: false, or give the rule a policy of its own."));
        }
      }
    }
    if (policy.kind().usesCel() && !policy.kind().builtIn()) {
      var evaluation = policy.spec().at("evaluation");
      if (evaluation.filter(NeverEvaluated::isIdle).isPresent()) {
        found.at(
            evaluation.get(),
            LintSeverity.WARNING,
            "this policy judges neither requests nor what exists");
      }
    }
  }

  private static boolean isIdle(Node evaluation) {
    return isOff(evaluation, "admission")
        && isOff(evaluation, "background")
        && Stream.of("mutateExisting", "generateExisting")
            .flatMap(what -> evaluation.at(what).stream())
            .noneMatch(node -> node.says("enabled", true));
  }

  private static boolean isOff(Node evaluation, String what) {
    return evaluation.at(what).filter(node -> node.says("enabled", false)).isPresent();
  }
}
