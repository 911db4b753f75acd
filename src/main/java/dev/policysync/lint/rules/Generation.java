package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.LintSeverity.WARNING;
import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.KindName;
import java.util.List;
import java.util.Set;

/// Rules about generate.
final class Generation {
  private Generation() {}

  static List<Rule> rules() {
    return List.of(LOOP, TARGET, NOT_SYNCHRONIZED);
  }

  /// Returns the targets of a generate rule: its own target, or one for each `foreach`.
  private static List<Node> targets(LegacyRule rule) {
    var each = rule.node().all("generate.foreach[]").toList();
    return each.isEmpty() ? rule.node().all("generate").toList() : each;
  }

  private static final Rule LOOP =
      Rule.warning(
          "PS010",
          "Generate rule triggers itself",
          """
          A generate rule that matches the kind it generates, or all kinds, is triggered by its own result: each \
          object creates an update request, which creates an object (e.g. kyverno#10049). Kyverno rejects only some \
          of these policies.\
          """,
          "Trigger on another kind, e.g. Namespace, or restrict match by name, namespace or "
              + "label so that generated objects do not match.",
          each(Generation::judgeLoop));

  private static void judgeLoop(LegacyRule rule, LintFindingSink found) {
    if (!rule.node().has("generate")) {
      return;
    }
    var targets =
        targets(rule).stream()
            .flatMap(target -> target.all("kind", "cloneList.kinds[]"))
            .filter(Node::isText)
            .map(node -> KindName.of(node.text()).kind())
            .toList();
    for (var trigger : rule.kindNodes()) {
      var kind = KindName.of(trigger.text());
      if (kind.isWildcard()) {
        found.at(
            trigger,
            ERROR,
            rule.label() + " is triggered by all objects, including those that it generates");
      } else if (targets.contains(kind.kind()) && !isNarrow(rule)) {
        found.at(
            trigger,
            rule.label()
                + " is triggered by a "
                + kind.kind()
                + " and generates a "
                + kind.kind()
                + ", which triggers it again");
      }
    }
  }

  /// Returns whether a condition or filter may keep generated objects from triggering the rule.
  private static boolean isNarrow(LegacyRule rule) {
    return rule.node().has("preconditions")
        || rule.filters().anyMatch(filter -> filter.asksForNamespace() || filter.asksForObject());
  }

  private static final Rule TARGET =
      Rule.error(
          "PS011",
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
          "Keep either data or clone, and set the namespace of the target.",
          each(Generation::judgeTargets));

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

  private static void judgeTargets(LegacyRule rule, LintFindingSink found) {
    targets(rule).forEach(target -> judgeTarget(rule, target, found));
  }

  private static void judgeTarget(LegacyRule rule, Node target, LintFindingSink found) {
    var sources = target.all("data", "clone", "cloneList").toList();
    if (sources.size() > 1) {
      found.refused(
          sources.get(1),
          rule.label() + " has both " + sources.getFirst().name() + " and " + sources.get(1).name(),
          "Keep one of the two.");
    } else if (sources.isEmpty()) {
      found.at(
          target,
          WARNING,
          rule.label() + " has neither data nor clone, so nothing is generated",
          "Set data, or clone with the source object.");
    }
    rule.node()
        .all("match.resources.kinds[]")
        .filter(kind -> kind.text().equals(target.text("kind")))
        .forEach(kind ->
            found.refused(
                kind,
                rule.label() + " generates the kind that match.resources names",
                "Match another kind."));
    if (target.items("cloneList", "kinds").isEmpty()) {
      for (var field : List.of("apiVersion", "kind", "name")) {
        if (target.text(field).isEmpty()) {
          found.refused(
              target,
              rule.label() + " generates an object without " + field,
              "Set generate." + field + ".");
        }
      }
    }
    var kind = KindName.of(target.text("apiVersion"), target.text("kind"));
    if (!rule.policy().kind().namespaced()) {
      judgeOfCluster(rule, target, kind, found);
    } else if (rule.policy().root().text("metadata", "namespace").isEmpty()) {
      requireNamespace(rule, target, kind, found); // one that is set may be that of the policy
    } else {
      judgeOfNamespace(rule, target, kind, found);
    }
  }

  private static void requireNamespace(
      LegacyRule rule, Node target, KindName kind, LintFindingSink found) {
    if (isNamespaced(kind) && !target.has("namespace")) {
      found.at(
          target.atOrSelf("kind"),
          rule.label() + " generates a " + kind.kind() + " without a namespace",
          "Set generate.namespace, e.g. to {{ request.object.metadata.name }}.");
    }
  }

  private static void judgeOfCluster(
      LegacyRule rule, Node target, KindName kind, LintFindingSink found) {
    requireNamespace(rule, target, kind, found);
    if (target.has("namespace") && kind.isClusterScoped()) {
      found.at(
          target.atOrSelf("namespace"),
          rule.label() + " generates a " + kind.kind() + ", which is cluster-scoped",
          "Remove generate.namespace.");
    }
    var cloned = target.texts("cloneList", "kinds").stream().map(KindName::of).toList();
    var from = target.text("cloneList", "namespace");
    var node = target.atOrSelf("cloneList");
    if (cloned.stream().anyMatch(KindName::isClusterScoped)
        && cloned.stream().anyMatch(Generation::isNamespaced)) {
      found.refused(
          node,
          rule.label() + " clones namespaced and cluster-scoped kinds at once",
          "Use a rule for each.");
    } else if (!cloned.isEmpty()
        && cloned.stream().allMatch(KindName::isClusterScoped)
        && !from.isEmpty()) {
      found.refused(
          node,
          rule.label() + " clones cluster-scoped kinds from a namespace",
          "Remove cloneList.namespace.");
    } else if (cloned.stream().anyMatch(Generation::isNamespaced) && from.isEmpty()) {
      found.refused(
          node,
          rule.label() + " does not say from which namespace it clones",
          "Set cloneList.namespace.");
    }
  }

  /// Checks a target of a namespaced policy as `GeneratePattern.validateNamespacedTargetsScope` and
  /// `ValidateCloneList` do.
  private static void judgeOfNamespace(
      LegacyRule rule, Node target, KindName kind, LintFindingSink found) {
    var own = rule.policy().id().namespace().orElse("");
    if (kind.isClusterScoped()) {
      refuseInNamespace(
          target.atOrSelf("kind"),
          rule.label() + " generates a " + kind.kind() + ", which is cluster-scoped",
          "Use a ClusterPolicy.",
          found);
    } else if (!target.text("namespace").equals(own)) {
      refuseInNamespace(
          target.atOrSelf("namespace"),
          rule.label() + " generates in another namespace than " + own,
          "Set generate.namespace: " + own + ", or use a ClusterPolicy.",
          found);
    }
    target
        .all("clone", "cloneList")
        .filter(source -> source.has(source.name().equals("clone") ? "name" : "kinds"))
        .filter(source -> !source.text("namespace").equals(own))
        .forEach(source ->
            refuseInNamespace(
                source,
                rule.label() + " clones from another namespace than " + own,
                "Set " + source.name() + ".namespace: " + own + ", or use a ClusterPolicy.",
                found));
    target
        .all("cloneList.kinds[]")
        .filter(node -> KindName.of(node.text()).isClusterScoped())
        .forEach(node ->
            refuseInNamespace(
                node,
                rule.label() + " clones a cluster-scoped kind",
                "Use a ClusterPolicy.",
                found));
  }

  private static void refuseInNamespace(
      Node node, String message, String fix, LintFindingSink found) {
    found.at(node, message + "; Kyverno rejects that in a namespaced policy", fix);
  }

  private static boolean isNamespaced(KindName kind) {
    return kind.mayBeBuiltIn() && NAMESPACED.contains(kind.kind());
  }

  private static final Rule NOT_SYNCHRONIZED =
      Rule.warning(
          "PS012",
          "Generated objects are not synchronized",
          """
          Without `synchronize: true`, an object is generated once. Later changes of the rule are not applied to it, \
          it can be edited or deleted, and it remains when the trigger or the policy is deleted. If this is \
          intended, set `synchronize: false` explicitly. With `synchronize: true`, deleting the policy deletes the \
          generated objects, unless `orphanDownstreamOnPolicyDelete` is set.\
          """,
          "Set synchronize: true, or synchronize: false if this is intended.",
          each(Generation::judgeSynchronization));

  private static void judgeSynchronization(LegacyRule rule, LintFindingSink found) {
    rule.node()
        .at("generate")
        .filter(generate -> !generate.has("synchronize"))
        .ifPresent(generate ->
            found.at(
                generate,
                rule.label()
                    + " does not set synchronize, so generated objects are neither updated nor"
                    + " cleaned up"));
  }
}
