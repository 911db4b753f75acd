package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Autogen;
import java.util.List;

/// Reports settings that have no effect.
final class IneffectiveSettings implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS034",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Ineffective setting",
        """
        - `pod-policies.kyverno.io/autogen-controllers` requests rules for pod controllers, but autogen applies to no rule of the policy: one of them has a name, a selector or an annotation in match or exclude, matches other kinds besides Pod, generates, or uses a JSON patch. Only Pods are evaluated then, not their controllers.
        - `spec.autogen.podControllers` of a CEL policy has no effect unless `matchConstraints` is exactly one rule for `pods` of the core group, without names, objectSelector or exclusions.
        - `webhookConfiguration`, `failurePolicy` and `webhookTimeoutSeconds` have no effect with `admission: false`, which limits the policy to background scans.

        `validate.assert` and `schemaValidation` are PS002.\
        """,
        "Remove the setting, or whatever disables it.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    LegacyPolicy.of(policy)
        .ifPresent(legacy -> {
          judgeAutogen(legacy, found);
          judgeWebhook(legacy, found);
        });
    if (policy.kind().usesCel() && !policy.kind().builtIn() && !isForPodsAlone(policy.spec())) {
      policy
          .spec()
          .at("autogen", "podControllers")
          .filter(node -> !node.items("controllers").isEmpty())
          .ifPresent(node ->
              found.at(
                  node,
                  "autogen requires a policy with exactly one rule for pods, so this setting has"
                      + " no effect"));
    }
  }

  private static void judgeAutogen(LegacyPolicy policy, LintFindingSink found) {
    var wanted =
        policy
            .lintedPolicy()
            .annotation(Autogen.ANNOTATION)
            .filter(node -> !node.isText("none") && !node.isText(""));
    var validates =
        policy.rules().stream()
            .filter(rule ->
                rule.node().has("validate")
                    || rule.node().has("verifyImages")
                    || rule.node().has("mutate"))
            .toList();
    if (wanted.isPresent()
        && validates.stream()
            .noneMatch(rule ->
                Autogen.appliesTo(policy.lintedPolicy().root().mapping(), rule.node().mapping()))) {
      found.at(
          wanted.get(), "autogen applies to no rule of this policy, so this setting has no effect");
    }
  }

  private static void judgeWebhook(LegacyPolicy policy, LintFindingSink found) {
    if (!policy.admission()) {
      for (var field : List.of("webhookConfiguration", "failurePolicy", "webhookTimeoutSeconds")) {
        policy
            .spec()
            .at(field)
            .ifPresent(node ->
                found.at(
                    node,
                    "with admission: false the policy has no webhook, so this setting has no"
                        + " effect"));
      }
    }
  }

  private static boolean isForPodsAlone(Node spec) {
    var rules = spec.items("matchConstraints", "resourceRules");
    return rules.size() == 1
        && !spec.has("matchConstraints", "objectSelector")
        && spec.items("matchConstraints", "excludeResourceRules").isEmpty()
        && rules.getFirst().items("resourceNames").isEmpty()
        && rules.getFirst().texts("resources").equals(List.of("pods"))
        && rules.getFirst().texts("apiGroups").equals(List.of(""))
        && rules.getFirst().texts("apiVersions").equals(List.of("v1"));
  }
}
