package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.Autogen;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;

/// Settings that look as if they did something.
final class IneffectiveSettings implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS034",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "A setting without effect",
        """
        - `pod-policies.kyverno.io/autogen-controllers` asks for rules for pod controllers, but autogen applies \
        to no rule of the policy: one of them has a name, a selector or an annotation in match or exclude, \
        names Pod beside other kinds, generates, or patches by JSON. Then only Pods are judged, not what makes them.
        - `spec.autogen.podControllers` of a CEL policy does nothing unless `matchConstraints` is exactly one \
        rule for `pods` of the core group, without names, objectSelector or exclusions.
        - `webhookConfiguration`, `failurePolicy` and `webhookTimeoutSeconds` do nothing where \
        `admission: false` leaves the policy to background scans.

        `validate.assert` and `schemaValidation` are PS002.\
        """,
        "Remove the setting, or what takes its effect.");
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
                  "autogen works only for a policy of one rule for pods, so this does nothing"));
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
      found.at(wanted.get(), "autogen applies to no rule of this policy, so this does nothing");
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
                    "with admission: false no webhook asks this policy, so this does nothing"));
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
