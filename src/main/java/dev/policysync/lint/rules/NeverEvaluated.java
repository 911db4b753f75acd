package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.stream.Stream;

/// Reports policies that evaluate neither requests nor existing objects.
final class NeverEvaluated implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS037",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Policy is never evaluated",
        """
        `admission: false` disables evaluation of requests, `background: false` that of existing resources; with \
        both, a policy is never evaluated and Kyverno rejects it. Kyverno also rejects `admission: false` with \
        rules that mutate, generate or verify images, which only run on requests. A CEL policy with both disabled \
        in `evaluation` is idle, reported as a warning.\
        """,
        "Enable one of them, or remove the policy.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      var admission = legacy.spec().at("admission").filter(node -> node.is(false));
      if (admission.isPresent() && !legacy.background()) {
        found.at(
            admission.get(),
            "the policy evaluates neither requests nor existing resources; Kyverno rejects it");
      } else if (admission.isPresent()) {
        for (var action : List.of("mutate", "generate", "verifyImages")) {
          legacy.rules().stream()
              .flatMap(rule -> rule.node().at(action).stream())
              .findFirst()
              .ifPresent(node ->
                  found.at(
                      node,
                      "Kyverno rejects "
                          + action
                          + " with admission: false, because it runs only on requests",
                      "Remove spec.admission: false, or move the rule to a separate policy."));
        }
      }
    }
    if (policy.kind().usesCel() && !policy.kind().builtIn()) {
      var evaluation = policy.spec().at("evaluation");
      if (evaluation.filter(NeverEvaluated::isIdle).isPresent()) {
        found.at(
            evaluation.get(),
            LintSeverity.WARNING,
            "the policy evaluates neither requests nor existing resources");
      }
    }
  }

  private static boolean isIdle(Node evaluation) {
    return isOff(evaluation, "admission")
        && isOff(evaluation, "background")
        && Stream.of("mutateExisting", "generateExisting")
            .flatMap(what -> evaluation.at(what).stream())
            .noneMatch(node -> node.isSetTo("enabled", true));
  }

  private static boolean isOff(Node evaluation, String what) {
    return evaluation.at(what).filter(node -> node.isSetTo("enabled", false)).isPresent();
  }
}
