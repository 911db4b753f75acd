package dev.policysync.lint.rules;

import dev.policysync.base.Value;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.math.BigDecimal;
import java.util.stream.Stream;

/// Reports settings of a whole policy that Kyverno rejects.
///
/// Source: Kyverno 1.19, `Spec.Validate`, `validateMutateTargets`, `ValidateAutogenAnnotation`,
/// `Rule.ValidateMutationRuleTargetNamespace`.
final class PolicySettings implements Rule {
  private static final BigDecimal LONGEST = BigDecimal.valueOf(30);

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS045",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid policy setting",
        """
        Kyverno rejects a webhook timeout that is not between 1 and 30 seconds, `mutateExistingOnPolicyUpdate` \
        without `mutate.targets`, targets of a namespaced policy in another namespace, \
        `validationFailureActionOverrides` in a namespaced policy, and the value `all` of the annotation \
        `pod-policies.kyverno.io/autogen-controllers`, and a PolicyException of policies.kyverno.io without `policyRefs`.\
        """,
        "Correct or remove the setting.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (policy.kind().type() == PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      policy
          .spec()
          .at("policyRefs")
          .filter(node -> node.items().isEmpty())
          .ifPresent(node -> found.at(node, "the exception names no policy; Kyverno rejects it"));
    }
    if (LegacyPolicy.of(policy).isEmpty()) {
      return;
    }
    var spec = policy.spec();
    Stream.concat(
            spec.at("webhookTimeoutSeconds").stream(),
            spec.at("webhookConfiguration", "timeoutSeconds").stream())
        .filter(PolicySettings::isNoTimeout)
        .forEach(node ->
            found.at(node, "the timeout is not between 1 and 30 seconds; Kyverno rejects it"));
    policy
        .annotation("pod-policies.kyverno.io/autogen-controllers")
        .filter(node -> node.isText("all"))
        .ifPresent(node ->
            found.at(
                node,
                "Kyverno no longer takes all here and rejects the policy",
                "Remove the annotation."));
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      judgeTargets(rule, policy, found);
    }
    if (policy.kind().namespaced()) {
      spec.at("validationFailureActionOverrides")
          .filter(node -> !node.items().isEmpty())
          .ifPresent(node ->
              found.at(node, "overrides are for ClusterPolicies only; Kyverno rejects them"));
    }
  }

  private static void judgeTargets(LegacyRule rule, LintedPolicy policy, LintFindingSink found) {
    var mutate = rule.node().at("mutate");
    if (mutate.isEmpty()) {
      return;
    }
    var targets = mutate.get().items("targets");
    var existing =
        mutate
            .get()
            .at("mutateExistingOnPolicyUpdate")
            .filter(node -> node.is(true))
            .or(() ->
                policy.spec().at("mutateExistingOnPolicyUpdate").filter(node -> node.is(true)));
    if (existing.isPresent() && targets.isEmpty()) {
      found.at(
          existing.get(),
          rule.label()
              + " has no mutate.targets, so it cannot mutate what exists; Kyverno rejects it",
          "Set mutate.targets.");
    }
    for (var target : targets) {
      target
          .at("namespace")
          .filter(_ -> policy.root().text("metadata", "namespace").isPresent())
          .filter(_ -> policy.kind().namespaced())
          .filter(node -> !node.isText(policy.id().namespace().orElse("")) && !node.isText(""))
          .ifPresent(node ->
              found.at(
                  node,
                  "a namespaced policy mutates only in its own namespace; Kyverno rejects this target"));
    }
  }

  private static boolean isNoTimeout(Node node) {
    return node.value() instanceof Value.Numeric(var literal)
        && (new BigDecimal(literal).compareTo(BigDecimal.ONE) < 0
            || new BigDecimal(literal).compareTo(LONGEST) > 0);
  }
}
