package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.FailureAction;
import dev.policysync.kyverno.Glob;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Overrides of the action that contradict each other, or are never reached.
final class Overrides implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS036",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "An override that is never reached",
        """
        `failureActionOverrides` are gone through in their order, and the first one that matches the namespace \
        decides; those after it for the same namespaces do nothing. Where a namespace is listed both with \
        Enforce and with Audit, Kyverno refuses a ClusterPolicy (`conflicting namespaces found`), which is an \
        error. In a namespaced Policy only its own namespace counts.\
        """,
        "Name each namespace in one override only.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      judge(legacy.spec().items("validationFailureActionOverrides"), policy, found);
      for (var rule : legacy.rules()) {
        judge(rule.node().items("validate", "failureActionOverrides"), policy, found);
      }
    }
  }

  private static void judge(List<Node> overrides, LintedPolicy policy, LintFindingSink found) {
    var before = new ArrayList<Node>();
    for (var override : overrides) {
      for (var namespace : override.items("namespaces")) {
        var name = namespace.text().orElse("");
        var own = policy.id().namespace();
        var winner = winner(before, name);
        if (winner.isPresent()) {
          judge(namespace, name, override, winner.get(), policy, found);
        } else if (own.isPresent() && !matches(name, own.get())) {
          found.at(
              namespace,
              "this Policy judges only namespace " + own.get() + ", so the override does nothing");
        }
      }
      if (!override.has("namespaceSelector")) {
        before.add(override);
      }
    }
  }

  private static void judge(
      Node namespace,
      String name,
      Node override,
      Node winner,
      LintedPolicy policy,
      LintFindingSink found) {
    var where = "the override on line " + winner.position().line();
    var contradicts = !action(winner).equals(action(override));
    if (contradicts && !policy.kind().namespaced() && winner.texts("namespaces").contains(name)) {
      found.at(
          namespace,
          LintSeverity.ERROR,
          "Kyverno refuses the policy: " + where + " has " + name + " with the other action");
    } else {
      found.at(
          namespace,
          "this is never reached: " + where + " is for " + name + ", too, and comes first");
    }
  }

  /// The override that decides for that namespace, or for all that the pattern matches.
  private static Optional<Node> winner(List<Node> overrides, String namespace) {
    return overrides.stream()
        .filter(override ->
            override.texts("namespaces").stream().anyMatch(pattern -> matches(pattern, namespace)))
        .findFirst();
  }

  /// Also where `text` is a pattern itself: `shop-*` is among those of `*`.
  private static boolean matches(String pattern, String text) {
    return Glob.matches(pattern, text);
  }

  private static Optional<FailureAction> action(Node override) {
    return override.text("action").flatMap(FailureAction::of);
  }
}
