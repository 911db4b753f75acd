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

/// Reports rules that match all kinds.
final class WildcardKind implements Rule {
  private static final List<String> NO_WILDCARD = List.of("generate", "verifyImages");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS007",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Rule matches all kinds",
        """
        Kinds `*` sends every request of the cluster to Kyverno, including leases and events: additional load and \
        a single point of failure (kyverno#6462, #15488). Kyverno rejects such a rule if `background` is on, which \
        is the default, if it lists other kinds as well, or if it generates, verifies images or has a `foreach` (1.19, \
        `validateWildcard`); these are errors. The rule may only use metadata.\
        """,
        "List the intended kinds; if all kinds are required, set background: false and use a"
            + " separate rule for `*`.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      for (var node : rule.kindNodes()) {
        if (node.isText("*")) {
          judge(rule, node, found);
        }
      }
    }
    CelPolicy.of(policy).stream()
        .flatMap(cel -> cel.resources().stream())
        .filter(node -> node.isText("*") || node.isText("*/*"))
        .forEach(node -> found.at(node, "the rule matches every resource of its groups"));
  }

  private static void judge(LegacyRule rule, Node node, LintFindingSink found) {
    if (rule.policy().background()) {
      found.at(
          node,
          LintSeverity.ERROR,
          rule.label()
              + " matches all kinds and also evaluates existing objects, which Kyverno rejects",
          "Set spec.background: false, or list the intended kinds.");
    } else if (NO_WILDCARD.stream().anyMatch(rule.node()::has)
        || rule.node().has("validate", "foreach")) {
      found.at(
          node,
          LintSeverity.ERROR,
          rule.label()
              + " matches all kinds, which Kyverno rejects for generate, verifyImages and foreach",
          "List the intended kinds.");
    } else if (rule.kinds().size() > 1) {
      found.at(
          node,
          LintSeverity.ERROR,
          rule.label() + " lists * together with other kinds, which Kyverno rejects",
          "Use a separate rule for *, or list the intended kinds.");
    } else {
      found.at(node, rule.label() + " sends every request of the cluster to Kyverno");
    }
  }
}
