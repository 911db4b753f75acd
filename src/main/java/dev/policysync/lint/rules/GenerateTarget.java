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
        "Invalid generate target",
        """
        A generated object is either defined by `data` or cloned from an existing object. With both, the result is \
        undefined, and with `synchronize` each would overwrite the other; with neither there is nothing to generate. \
        A target of a namespaced kind requires a namespace, usually `{{ request.object.metadata.name }}` of the \
        triggering Namespace; a cluster-scoped target must not have one. Kyverno rejects these policies; a rule with \
        neither data nor clone is reported as a warning.\
        """,
        "Keep either data or clone, and set the namespace of the target.");
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
          rule.label() + " has both data and clone, so the generated object is ambiguous",
          "Keep one of the two.");
    } else if (!target.has("data") && clone.isEmpty()) {
      found.at(
          target,
          LintSeverity.WARNING,
          rule.label() + " has neither data nor clone, so nothing is generated",
          "Set data, or clone with the source object.");
    }
    var named = KindName.of(target.text("apiVersion").orElse(""), target.text("kind").orElse(""));
    var kind = named.kind();
    if (named.mayBeBuiltIn()
        && NAMESPACED.contains(kind)
        && !target.has("namespace")
        && !rule.policy().lintedPolicy().kind().namespaced()) {
      found.at(
          target.at("kind").orElse(target),
          rule.label() + " generates a " + kind + " without a namespace",
          "Set generate.namespace, e.g. to {{ request.object.metadata.name }}.");
    } else if (named.isClusterScoped() && target.has("namespace")) {
      found.at(
          target.at("namespace").orElse(target),
          rule.label() + " generates a " + kind + ", which is cluster-scoped",
          "Remove generate.namespace.");
    }
  }
}
