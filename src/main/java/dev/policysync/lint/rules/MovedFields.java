package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Map;

/// Reports fields of a ClusterPolicy or Policy that have moved or no longer have an effect.
final class MovedFields implements Rule {
  private static final AffectedVersions SINCE = AffectedVersions.since("1.13");

  /// The deprecated fields of the spec, and the new place of each.
  private static final Map<String, String> IN_SPEC =
      Map.of(
          "validationFailureAction",
          "validate.failureAction or verifyImages[].failureAction of each rule",
          "validationFailureActionOverrides",
          "validate.failureActionOverrides of each rule",
          "failurePolicy",
          "spec.webhookConfiguration.failurePolicy",
          "webhookTimeoutSeconds",
          "spec.webhookConfiguration.timeoutSeconds",
          "generateExisting",
          "generate.generateExisting of each rule",
          "mutateExistingOnPolicyUpdate",
          "mutate.mutateExistingOnPolicyUpdate of each rule");

  private static final Map<String, String> IN_IMAGES =
      Map.of(
          "image", "imageReferences",
          "key", "attestors",
          "roots", "attestors",
          "subject", "attestors",
          "issuer", "attestors",
          "annotations", "attestors");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS002",
        LintSeverity.NOTE,
        SINCE,
        "Moved or removed field",
        """
        Kyverno 1.13 moved several fields from a policy's `spec` to where they are used and deprecated the old ones: \
        `validationFailureAction` and its overrides to each rule's `validate` or `verifyImages`, `failurePolicy` and \
        `webhookTimeoutSeconds` to `webhookConfiguration`, `generateExisting` and `mutateExistingOnPolicyUpdate` to \
        the rules. In `verifyImages`, `image` has become `imageReferences`, and keys, roots, subjects and issuers \
        belong to `attestors`.

        The old fields look effective, but a rule's own action takes precedence over the policy's. 1.19 rejects a \
        policy with `generateExistingOnPolicyUpdate`, and one with a timeout or failurePolicy in both places; these \
        two are errors. `schemaValidation` and `validate.assert` have no effect at all, a warning. The rest works as \
        before, so it is a note, reported once per run with the number of policies.\
        """,
        "Move the value to the new field; its meaning is the same.");
  }

  @Override
  public boolean oncePerRun() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (LegacyPolicy.of(policy).isEmpty()) {
      return;
    }
    var spec = policy.spec();
    for (var field : spec.fields()) {
      judgeOfSpec(field, spec, found);
    }
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      rule.node().at("validate", "assert").ifPresent(node -> withoutEffect(node, found));
      rule.node().items("verifyImages").forEach(entry -> judgeImages(entry, found));
    }
  }

  private static void judgeOfSpec(Node field, Node spec, LintFindingSink found) {
    var name = field.name();
    if (name.equals("generateExistingOnPolicyUpdate")) {
      found.at(
          field,
          LintSeverity.ERROR,
          "Kyverno 1.19 rejects a policy with spec.generateExistingOnPolicyUpdate",
          "Set generate.generateExisting in the rules instead.");
    } else if (name.equals("schemaValidation")) {
      withoutEffect(field, found);
    } else if (IN_SPEC.containsKey(name)) {
      var now = IN_SPEC.get(name);
      if (twice(name, spec)) {
        found.at(
            field,
            LintSeverity.ERROR,
            "Kyverno 1.19 rejects a policy with both spec." + name + " and " + now,
            "Keep " + now + " only.");
      } else {
        found.at(field, "spec." + name + " is deprecated", "Move it to " + now + ".");
      }
    }
  }

  private static boolean twice(String name, Node spec) {
    return switch (name) {
      case "failurePolicy" -> spec.has("webhookConfiguration", "failurePolicy");
      case "webhookTimeoutSeconds" -> spec.has("webhookConfiguration", "timeoutSeconds");
      default -> false;
    };
  }

  private static void judgeImages(Node entry, LintFindingSink found) {
    for (var field : entry.fields()) {
      if (IN_IMAGES.containsKey(field.name())) {
        found.at(
            field,
            "verifyImages[]." + field.name() + " is deprecated",
            "Use " + IN_IMAGES.get(field.name()) + ".");
      }
    }
    for (var attestation : entry.items("attestations")) {
      attestation
          .at("predicateType")
          .ifPresent(node ->
              found.at(
                  node,
                  "attestations[].predicateType is deprecated",
                  "Rename it to attestations[].type."));
    }
  }

  private static void withoutEffect(Node node, LintFindingSink found) {
    found.at(
        node,
        LintSeverity.WARNING,
        node.name() + " no longer has any effect; the check is not performed",
        node.name().equals("assert")
            ? "Write the check as a pattern, as deny conditions, or as a ValidatingPolicy."
            : "Remove it.");
  }
}
