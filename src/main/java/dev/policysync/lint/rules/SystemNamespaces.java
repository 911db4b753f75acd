package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reports rules that block without excluding the system namespaces.
final class SystemNamespaces implements Rule {
  /// The kinds without which workloads in these namespaces cannot start.
  private static final Set<String> KINDS =
      Stream.concat(
              KindName.POD_CONTROLLERS.stream(),
              Stream.of(
                  "*", "Pod", "ServiceAccount", "Secret", "ConfigMap", "PersistentVolumeClaim"))
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> RESOURCES =
      Set.of(
          "*",
          "*/*",
          "pods",
          "daemonsets",
          "deployments",
          "jobs",
          "statefulsets",
          "replicasets",
          "replicationcontrollers",
          "cronjobs",
          "serviceaccounts",
          "secrets",
          "configmaps",
          "persistentvolumeclaims");
  private static final String SYSTEM = "kube-system";
  private static final List<String> TESTS =
      List.of("request.namespace", "metadata.namespace", "namespaceObject", "request.userInfo");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS005",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Enforce without excluding system namespaces",
        """
        A rule that blocks in all namespaces also blocks in `kube-system` and in Kyverno's namespace: a DNS or \
        network Pod that violates it cannot restart, and neither can anything that depends on it. The only other \
        protection is the webhook's namespaceSelector in Kyverno's chart, which may be managed by another team.

        A rule is not reported if it matches selected namespaces only, excludes `kube-system` by name or selector, \
        checks the namespace in a condition, or matches only kinds that nothing needs for starting: Pods, their \
        controllers, ServiceAccounts, Secrets, ConfigMaps and PersistentVolumeClaims are reported.\
        """,
        "Exclude kube-system and the namespace of Kyverno, by"
            + " exclude.any[].resources.namespaces, or in CEL by"
            + " matchConstraints.namespaceSelector.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (policy.kind().namespaced()) {
      return;
    }
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var enforced = rule.blocksIn(SYSTEM);
      if (enforced.isPresent()
          && matchesSystem(rule)
          && !excludesSystem(rule)
          && !looksAtNamespace(rule.node())) {
        found.at(
            enforced.get(),
            rule.label()
                + " also blocks in kube-system and Kyverno's namespace; Pods that violate it"
                + " there cannot restart");
      }
    }
    CelPolicy.of(policy).filter(CelPolicy::denies).ifPresent(cel -> judge(cel, found));
  }

  private static void judge(CelPolicy policy, LintFindingSink found) {
    var constraints = policy.spec().at("matchConstraints");
    if (constraints.isEmpty()
        || constraints.get().has("namespaceSelector")
        || constraints.get().has("objectSelector")
        || constraints.get().has("excludeResourceRules")
        || policy.resources().stream()
            .noneMatch(node -> node.text().filter(RESOURCES::contains).isPresent())
        || looksAtNamespace(policy.spec())) {
      return;
    }
    found.at(
        constraints.get(),
        "this policy also denies in kube-system and Kyverno's namespace; Pods that violate it"
            + " there cannot restart");
  }

  private static boolean matchesSystem(LegacyRule rule) {
    var kinds = rule.kinds();
    if (!kinds.isEmpty() && kinds.stream().noneMatch(SystemNamespaces::isNeeded)) {
      return false;
    }
    return rule.node().has("match", "all")
        ? rule.match().stream().allMatch(SystemNamespaces::matchesSystem)
        : rule.match().stream().anyMatch(SystemNamespaces::matchesSystem);
  }

  private static boolean isNeeded(KindName kind) {
    return kind.mayBeBuiltIn() && KINDS.contains(kind.kind());
  }

  private static boolean matchesSystem(ResourceFilter resourceFilter) {
    return (resourceFilter.namespaces().isEmpty() || namesSystem(resourceFilter))
        && !resourceFilter.asksFor("namespaceSelector")
        && !resourceFilter.asksForObject();
  }

  private static boolean namesSystem(ResourceFilter resourceFilter) {
    return resourceFilter.namespaces().stream().anyMatch(pattern -> Glob.matches(pattern, SYSTEM));
  }

  private static boolean excludesSystem(LegacyRule rule) {
    return rule.exclude().stream()
        .anyMatch(filter -> filter.asksFor("namespaceSelector") || namesSystem(filter));
  }

  private static boolean looksAtNamespace(Node node) {
    return node.allTexts().anyMatch(text -> TESTS.stream().anyMatch(text::contains));
  }
}
