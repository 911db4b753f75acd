package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.FailureAction;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reports overrides of the action that contradict each other or are unreachable.
final class Overrides implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS036",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Unreachable failureActionOverrides",
        """
        `failureActionOverrides` are evaluated in order, and the first match for a namespace applies; later \
        entries for the same namespaces have no effect. If a namespace is listed with both Enforce and Audit, \
        Kyverno rejects a ClusterPolicy (`conflicting namespaces found`), reported as an error. In a namespaced \
        Policy only its own namespace is relevant.\
        """,
        "List each namespace in only one override.");
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
              "this Policy applies only to namespace "
                  + own.get()
                  + ", so the override has no effect");
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
          "Kyverno rejects the policy: " + where + " has " + name + " with the other action");
    } else {
      found.at(
          namespace,
          "the override is unreachable: " + where + " is for " + name + " as well and comes first");
    }
  }

  /// Returns the override that applies to a namespace, or to all namespaces that a pattern matches.
  private static Optional<Node> winner(List<Node> overrides, String namespace) {
    return overrides.stream()
        .filter(override ->
            override.texts("namespaces").stream().anyMatch(pattern -> matches(pattern, namespace)))
        .findFirst();
  }

  /// Returns whether `pattern` matches `text`, which may be a pattern itself: `*` matches `shop-*`.
  private static boolean matches(String pattern, String text) {
    return Glob.matches(pattern, text);
  }

  private static Optional<FailureAction> action(Node override) {
    return override.text("action").flatMap(FailureAction::of);
  }
}
