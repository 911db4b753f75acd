package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Reports generate rules that Kyverno cannot carry out.
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
        triggering Namespace; a cluster-scoped target must not have one. A namespaced policy generates and clones \
        in its own namespace only. `cloneList` cannot mix namespaced and cluster-scoped kinds. Kyverno rejects these \
        policies (1.19, `Generation.Validate`, `GeneratePattern.Validate`, `ValidateCloneList`); a rule with neither \
        data nor clone is reported as a warning.\
        """,
        "Keep either data or clone, and set the namespace of the target.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      targets(rule).forEach(target -> judge(rule, target, found));
    }
  }

  /// Returns the targets of a generate rule: its own target, or one for each `foreach`.
  static Stream<Node> targets(LegacyRule rule) {
    var generate = rule.node().at("generate");
    if (generate.isEmpty()) {
      return Stream.empty();
    }
    var each = generate.get().items("foreach");
    return each.isEmpty() ? generate.stream() : each.stream();
  }

  private static void judge(LegacyRule rule, Node target, LintFindingSink found) {
    var sources =
        Stream.of("data", "clone", "cloneList").flatMap(name -> target.at(name).stream()).toList();
    if (sources.size() > 1) {
      found.at(
          sources.get(1),
          rule.label()
              + " has both "
              + sources.getFirst().name()
              + " and "
              + sources.get(1).name()
              + "; Kyverno rejects it",
          "Keep one of the two.");
    } else if (sources.isEmpty()) {
      found.at(
          target,
          LintSeverity.WARNING,
          rule.label() + " has neither data nor clone, so nothing is generated",
          "Set data, or clone with the source object.");
    }
    rule.node().at("match", "resources", "kinds").stream()
        .flatMap(kinds -> kinds.items().stream())
        .filter(kind -> kind.text().equals(target.text("kind")))
        .forEach(kind ->
            found.at(
                kind,
                rule.label() + " generates the kind that match.resources names; Kyverno rejects it",
                "Match another kind."));
    if (target.items("cloneList", "kinds").isEmpty()) {
      for (var field : List.of("apiVersion", "kind", "name")) {
        if (target.text(field).filter(text -> !text.isEmpty()).isEmpty()) {
          found.at(
              target,
              rule.label() + " generates an object without " + field + "; Kyverno rejects it",
              "Set generate." + field + ".");
        }
      }
    }
    var policy = rule.policy().lintedPolicy();
    if (policy.kind().namespaced()) {
      if (policy.root().text("metadata", "namespace").isPresent()) {
        judgeOfNamespace(rule, target, found);
      } else if (!target.has("namespace")) { // a set one may match at apply time
        withoutNamespace(rule, target, found);
      }
    } else {
      judgeOfCluster(rule, target, found);
    }
  }

  private static void withoutNamespace(LegacyRule rule, Node target, LintFindingSink found) {
    var named = KindName.of(target.text("apiVersion").orElse(""), target.text("kind").orElse(""));
    if (isNamespaced(named)) {
      found.at(
          target.at("kind").orElse(target),
          rule.label() + " generates a " + named.kind() + " without a namespace",
          "Set generate.namespace, e.g. to {{ request.object.metadata.name }}.");
    }
  }

  private static void judgeOfCluster(LegacyRule rule, Node target, LintFindingSink found) {
    var named = KindName.of(target.text("apiVersion").orElse(""), target.text("kind").orElse(""));
    if (!target.has("namespace")) {
      withoutNamespace(rule, target, found);
    } else if (named.isClusterScoped()) {
      found.at(
          target.at("namespace").orElse(target),
          rule.label() + " generates a " + named.kind() + ", which is cluster-scoped",
          "Remove generate.namespace.");
    }
    var kinds = cloned(target);
    var from = target.text("cloneList", "namespace").filter(text -> !text.isEmpty());
    var node = target.at("cloneList").orElse(target);
    if (kinds.stream().anyMatch(KindName::isClusterScoped)
        && kinds.stream().anyMatch(GenerateTarget::isNamespaced)) {
      found.at(
          node,
          rule.label() + " clones namespaced and cluster-scoped kinds at once; Kyverno rejects it",
          "Use a rule for each.");
    } else if (!kinds.isEmpty()
        && kinds.stream().allMatch(KindName::isClusterScoped)
        && from.isPresent()) {
      found.at(
          node,
          rule.label() + " clones cluster-scoped kinds from a namespace; Kyverno rejects it",
          "Remove cloneList.namespace.");
    } else if (kinds.stream().anyMatch(GenerateTarget::isNamespaced) && from.isEmpty()) {
      found.at(
          node,
          rule.label() + " does not say from which namespace it clones; Kyverno rejects it",
          "Set cloneList.namespace.");
    }
  }

  /// Checks a target of a namespaced policy as `GeneratePattern.validateNamespacedTargetsScope` and
  /// `ValidateCloneList` do.
  private static void judgeOfNamespace(LegacyRule rule, Node target, LintFindingSink found) {
    var own = rule.policy().lintedPolicy().id().namespace().orElse("");
    var named = KindName.of(target.text("apiVersion").orElse(""), target.text("kind").orElse(""));
    if (named.isClusterScoped()) {
      found.at(
          target.at("kind").orElse(target),
          rule.label()
              + " generates a "
              + named.kind()
              + ", which is cluster-scoped; Kyverno rejects that in a namespaced policy",
          "Use a ClusterPolicy.");
    } else if (target.text("namespace").filter(own::equals).isEmpty()) {
      found.at(
          target.at("namespace").orElse(target),
          rule.label()
              + " generates in another namespace than "
              + own
              + "; Kyverno rejects that in a namespaced policy",
          "Set generate.namespace: " + own + ", or use a ClusterPolicy.");
    }
    for (var source : List.of("clone", "cloneList")) {
      target
          .at(source)
          .filter(node -> node.has(source.equals("clone") ? "name" : "kinds"))
          .filter(node -> node.text("namespace").filter(own::equals).isEmpty())
          .ifPresent(node ->
              found.at(
                  node,
                  rule.label()
                      + " clones from another namespace than "
                      + own
                      + "; Kyverno rejects that in a namespaced policy",
                  "Set " + source + ".namespace: " + own + ", or use a ClusterPolicy."));
    }
    target.items("cloneList", "kinds").stream()
        .filter(node -> node.text().map(KindName::of).filter(KindName::isClusterScoped).isPresent())
        .forEach(node ->
            found.at(
                node,
                rule.label()
                    + " clones a cluster-scoped kind; Kyverno rejects that in a namespaced policy",
                "Use a ClusterPolicy."));
  }

  private static List<KindName> cloned(Node target) {
    return target.texts("cloneList", "kinds").stream().map(KindName::of).toList();
  }

  private static boolean isNamespaced(KindName kind) {
    return kind.mayBeBuiltIn() && NAMESPACED.contains(kind.kind());
  }
}
