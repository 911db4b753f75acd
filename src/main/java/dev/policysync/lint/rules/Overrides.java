package dev.policysync.lint.rules;

import dev.policysync.lint.Finder;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Severity;
import dev.policysync.lint.Subject;
import dev.policysync.lint.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Overrides of the action that contradict each other, or are never reached.
final class Overrides implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS036",
        Severity.WARNING,
        Versions.ALL,
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
  public void judge(Subject policy, PolicySet all, Finder found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      judge(legacy.spec().items("validationFailureActionOverrides"), policy, found);
      for (var rule : legacy.rules()) {
        judge(rule.node().items("validate", "failureActionOverrides"), policy, found);
      }
    }
  }

  private static void judge(List<Node> overrides, Subject policy, Finder found) {
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
      Node namespace, String name, Node override, Node winner, Subject policy, Finder found) {
    var where = "the override on line " + winner.position().line();
    var contradicts = !action(winner).equals(action(override));
    if (contradicts && !policy.kind().namespaced() && winner.texts("namespaces").contains(name)) {
      found.at(
          namespace,
          Severity.ERROR,
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

  private static String action(Node override) {
    return override.text("action").orElse("").toLowerCase(Locale.ROOT);
  }
}
