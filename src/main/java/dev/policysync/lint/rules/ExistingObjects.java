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

/// A policy that changes what exists, at the moment in which it is applied.
final class ExistingObjects implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS026",
        LintSeverity.NOTE,
        AffectedVersions.ALL,
        "Touches existing objects when it is applied",
        """
        Most policies wait for a request. These act on what is there: applying the policy, or changing it, \
        makes Kyverno mutate every target that exists (`mutateExistingOnPolicyUpdate`, \
        `evaluation.mutateExisting`) or generate for every trigger that exists (`generateExisting`, \
        `evaluation.generateExisting`), all at once and in the background. A mistake reaches all of them \
        within seconds, removing the policy undoes nothing, and Kyverno's background controller needs the \
        rights for it.\
        """,
        "Try it on one namespace first, and make sure that it may be done twice.");
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

  /// A rule's own word counts; without one, the policy's.
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
            ? "applying this policy changes objects that exist already"
            : "applying this policy generates for objects that exist already");
  }
}
