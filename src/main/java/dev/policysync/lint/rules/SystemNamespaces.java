package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.Glob;
import dev.policysync.kyverno.KindName;
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
      var enforcement = rule.enforcement();
      if (enforcement.isPresent()
          && rule.policy().admission()
          && reachesSystem(enforcement.get().namespaces())
          && matchesSystem(rule)
          && !excludesSystem(rule)
          && !looksAtNamespace(rule.node())) {
        found.at(
            enforcement.get().node(),
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
    var any = ResourceFilter.of(rule.node().at("match"));
    return rule.node().has("match", "all")
        ? any.stream().allMatch(SystemNamespaces::matchesSystem)
        : any.stream().anyMatch(SystemNamespaces::matchesSystem);
  }

  private static boolean matchesSystem(ResourceFilter resourceFilter) {
    return reachesSystem(resourceFilter.node().texts("resources", "namespaces"))
        && !resourceFilter.asksFor("namespaceSelector")
        && !resourceFilter.asksFor("selector")
        && !resourceFilter.asksFor("name")
        && !resourceFilter.asksFor("names")
        && !resourceFilter.asksFor("annotations");
  }

  /// Whether that choice of namespaces, where nothing means all, has the system's.
  private static boolean reachesSystem(List<String> namespaces) {
    return namespaces.isEmpty()
        || namespaces.stream().anyMatch(pattern -> Glob.matches(pattern, SYSTEM));
  }

  private static boolean excludesSystem(LegacyRule rule) {
    return rule.exclude().stream()
        .anyMatch(resourceFilter ->
            resourceFilter.asksFor("namespaceSelector")
                || resourceFilter.node().texts("resources", "namespaces").stream()
                    .anyMatch(pattern -> Glob.matches(pattern, SYSTEM)));
  }

  private static boolean looksAtNamespace(Node node) {
    return node.everyText().anyMatch(text -> TESTS.stream().anyMatch(text::contains));
  }
}
