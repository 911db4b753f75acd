package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.KindName;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// Rules for every kind there is.
final class WildcardKind implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS007",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "A rule for all kinds",
        """
        Kinds `*` brings every request of the cluster to Kyverno, leases and events among them: load, and one \
        more place where everything stops (kyverno#6462, #15488). Kyverno refuses such a rule while \
        `background` is on, which is the default, and beside other kinds; it may look at metadata only. Those \
        two are errors.\
        """,
        "Name the kinds that are meant; if it must be all of them, set background: false and give `*` a rule of"
            + " its own.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      for (var node : rule.kindNodes()) {
        if (node.text().map(KindName::of).filter(KindName::isWildcard).isPresent()) {
          judge(rule, node, found);
        }
      }
    }
    CelPolicy.of(policy).stream()
        .flatMap(cel -> cel.resources().stream())
        .filter(node -> node.isText("*") || node.isText("*/*"))
        .forEach(node -> found.at(node, "this matches every resource of its groups"));
  }

  private static void judge(LegacyRule rule, Node node, LintFindingSink found) {
    if (rule.policy().background()) {
      found.at(
          node,
          LintSeverity.ERROR,
          rule.label()
              + " is for all kinds and judges existing objects, too, which Kyverno refuses",
          "Set spec.background: false, or name the kinds that are meant.");
    } else if (rule.kinds().size() > 1) {
      found.at(
          node,
          LintSeverity.ERROR,
          rule.label() + " has * beside other kinds, which Kyverno refuses",
          "Give * a rule of its own, or name the kinds that are meant.");
    } else {
      found.at(node, rule.label() + " sends every request of the cluster to Kyverno");
    }
  }
}
