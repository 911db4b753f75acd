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
import java.util.Set;
import java.util.stream.Stream;

/// Generate rules that Kyverno cannot carry out.
final class GenerateTarget implements Rule {
  private static final Set<String> NAMESPACED =
      Set.of(
          "ConfigMap",
          "CronJob",
          "DaemonSet",
          "Deployment",
          "Ingress",
          "Job",
          "LimitRange",
          "NetworkPolicy",
          "PodDisruptionBudget",
          "ResourceQuota",
          "Role",
          "RoleBinding",
          "Secret",
          "Service",
          "ServiceAccount",
          "StatefulSet");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS011",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A generate rule without one clear target",
        """
        What is generated comes either from `data` in the rule or is cloned from an object that exists. With both, \
        nothing says which wins, and with `synchronize` each would undo the other; with neither there is \
        nothing to make. A target of a namespaced kind needs a namespace, usually \
        `{{ request.object.metadata.name }}` of the Namespace that triggers it, and one of a kind without \
        namespaces must not have one. Kyverno refuses these policies; one with neither data nor clone is a \
        warning.\
        """,
        "Keep either data or clone, and say in which namespace the result lives.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      targets(rule).forEach(target -> judge(rule, target, found));
    }
  }

  /// What a rule generates: its own target, or one for each `foreach`.
  static Stream<Node> targets(LegacyRule rule) {
    var generate = rule.node().at("generate");
    if (generate.isEmpty()) {
      return Stream.empty();
    }
    var each = generate.get().items("foreach");
    return each.isEmpty() ? generate.stream() : each.stream();
  }

  private static void judge(LegacyRule rule, Node target, LintFindingSink found) {
    var clone = target.at("clone").or(() -> target.at("cloneList"));
    if (target.has("data") && clone.isPresent()) {
      found.at(
          clone.get(),
          rule.label() + " has data and a clone, so nothing says what it generates",
          "Keep one of the two.");
    } else if (!target.has("data") && clone.isEmpty()) {
      found.at(
          target,
          LintSeverity.WARNING,
          rule.label() + " has neither data nor a clone, so there is nothing to generate",
          "Say what the object holds by data, or what it is a copy of by clone.");
    }
    var kind = KindName.of(target.text("kind").orElse("")).kind();
    if (NAMESPACED.contains(kind)
        && !target.has("namespace")
        && !rule.policy().lintedPolicy().kind().namespaced()) {
      found.at(
          target.at("kind").orElse(target),
          rule.label() + " generates a " + kind + " and does not say in which namespace",
          "Set generate.namespace, for example to {{ request.object.metadata.name }}.");
    } else if (new KindName(kind, true).isClusterScoped() && target.has("namespace")) {
      found.at(
          target.at("namespace").orElse(target),
          rule.label() + " generates a " + kind + ", which lives in no namespace",
          "Remove generate.namespace.");
    }
  }
}
