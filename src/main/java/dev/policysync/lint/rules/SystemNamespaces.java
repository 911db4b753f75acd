package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.Glob;
import dev.policysync.kyverno.KindName;
import dev.policysync.kyverno.ResourceFilter;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.List;

/// Enforce, without a way around for the system's own namespaces.
final class SystemNamespaces implements Rule {
  private static final String SYSTEM = "kube-system";
  private static final List<String> TESTS =
      List.of("request.namespace", "metadata.namespace", "namespaceObject", "request.userInfo");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS005",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Enforce without an exception for system namespaces",
        """
        A rule that blocks in all namespaces blocks in `kube-system` and in Kyverno's own, too: a DNS or network \
        pod that breaks it cannot come back after a restart, and then nothing else can. Only the webhook's \
        namespaceSelector in Kyverno's chart stands before that, and that is a setting of another team, or of \
        another installation. 58 rules of Kyverno's own library of policies are like this.

        A rule is fine if it matches chosen namespaces only, excludes `kube-system` by name or by a selector, looks \
        at the namespace in a condition, or matches only kinds that live in no namespace.\
        """,
        "Exclude kube-system and the namespace of Kyverno, by exclude.any[].resources.namespaces, or in CEL by"
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
                + " blocks in kube-system and in Kyverno's own namespace as well; what breaks it there"
                + " cannot start again");
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
        || policy.resources().stream().allMatch(CelPolicy::isClusterScoped)
        || looksAtNamespace(policy.spec())) {
      return;
    }
    found.at(
        constraints.get(),
        "this policy denies in kube-system and in Kyverno's own namespace as well; what breaks it there"
            + " cannot start again");
  }

  private static boolean matchesSystem(LegacyRule rule) {
    var kinds = rule.kinds();
    if (!kinds.isEmpty() && kinds.stream().allMatch(KindName::isClusterScoped)) {
      return false;
    }
    return rule.node().has("match", "all")
        ? rule.match().stream().allMatch(SystemNamespaces::matchesSystem)
        : rule.match().stream().anyMatch(SystemNamespaces::matchesSystem);
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
    return node.everyText().anyMatch(text -> TESTS.stream().anyMatch(text::contains));
  }
}
