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

/// Reports policies that change existing objects as soon as they are applied.
final class ExistingObjects implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS026",
        LintSeverity.NOTE,
        AffectedVersions.ALL,
        "Policy changes existing objects",
        """
        Most policies act on requests. This policy acts on existing objects: when it is applied or changed, Kyverno \
        mutates every existing target (`mutateExistingOnPolicyUpdate`, `evaluation.mutateExisting`) or generates for \
        every existing trigger (`generateExisting`, `evaluation.generateExisting`), all at once in the background. A \
        mistake affects all of them within seconds, removing the policy does not revert the changes, and Kyverno's \
        background controller needs the permissions.\
        """,
        "Test the policy in one namespace first, and make sure that the change is idempotent.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      for (var rule : legacy.rules()) {
        judge(legacy.spec(), rule.node(), "mutate", "mutateExistingOnPolicyUpdate", found);
        judge(legacy.spec(), rule.node(), "generate", "generateExisting", found);
      }
    }
    for (var what : List.of("mutateExisting", "generateExisting")) {
      policy
          .spec()
          .at("evaluation", what, "enabled")
          .filter(node -> node.is(true) && policy.kind().usesCel() && !policy.kind().builtIn())
          .ifPresent(node -> found(node, what.startsWith("mutate"), found));
    }
  }

  /// Reports the setting of the rule; without one, the setting of the policy.
  private static void judge(
      Node spec, Node rule, String action, String field, LintFindingSink found) {
    if (rule.has(action)) {
      rule.at(action, field)
          .or(() -> spec.at(field))
          .filter(node -> node.is(true))
          .ifPresent(node -> found(node, action.equals("mutate"), found));
    }
  }

  private static void found(Node node, boolean mutates, LintFindingSink found) {
    found.at(
        node,
        mutates
            ? "applying this policy mutates existing objects"
            : "applying this policy generates resources for existing objects");
  }
}
