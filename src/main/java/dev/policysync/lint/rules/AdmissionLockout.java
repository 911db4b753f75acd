package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reports policies that can block or delete the objects that are needed to repair them.
final class AdmissionLockout implements Rule {
  private static final Set<String> KINDS =
      Stream.concat(
              PolicyKind.all().stream().map(PolicyKind::kind),
              Stream.of("Lease", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> RESOURCES =
      Stream.concat(
              PolicyKind.all().stream().map(PolicyKind::plural),
              Stream.of(
                  "leases", "validatingwebhookconfigurations", "mutatingwebhookconfigurations"))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> GROUPS =
      Stream.concat(
              PolicyKind.all().stream().map(PolicyKind::group),
              Stream.of("", "*", "coordination.k8s.io"))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> DEPENDED_ON = Set.of("Secret", "ServiceAccount");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS017",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Policy can block its own repair",
        """
        A rule that blocks writes of policies, Leases or webhook configurations also applies to this agent and to \
        Kyverno. If the rule is wrong, it rejects the update that would fix it: the agent cannot acquire its Lease \
        or apply the corrected policy until the policy is deleted manually. The same holds for a rule that blocks \
        Secrets or ServiceAccounts in all namespaces. A cleanup or deleting policy that matches them without conditions is an error, and a warning with them: \
        it can delete the policies, the Lease, or the credentials of the agent and of Kyverno.\
        """,
        "Exclude the agent's and Kyverno's ServiceAccounts (exclude.any[].subjects, or a"
            + " matchCondition on"
            + " request.userInfo), or match specific policies by name.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (rule.blocks()
          && rule.node().has("validate")
          && rule.filters().noneMatch(ResourceFilter::asksWho)) {
        critical(rule)
            .ifPresent(node ->
                found.at(
                    node,
                    rule.label()
                        + " can reject "
                        + node.text().orElse("")
                        + " objects written by this agent or Kyverno, including its own fix"));
      }
    }
    if (policy.kind().type() == PolicyKind.Type.CLEANUP) {
      FilterNodes.kinds(policy.spec().at("match"), filter -> !filter.asksForName())
          .filter(node -> deletes(KindName.of(node.text().orElse(""))))
          .forEach(node -> deleting(node, policy, found));
    }
    CelPolicy.of(policy).ifPresent(cel -> judge(cel, found));
  }

  private static void judge(CelPolicy policy, LintFindingSink found) {
    if (policy.lintedPolicy().kind().type().deletes()) {
      ofOurGroups(policy)
          .filter(node -> node.text().filter(AdmissionLockout::deletesResource).isPresent())
          .forEach(node -> deleting(node, policy.lintedPolicy(), found));
    } else if (policy.denies()
        && policy.spec().allTexts().noneMatch(text -> text.contains("userInfo"))) {
      ofOurGroups(policy)
          .filter(node -> node.text().filter(RESOURCES::contains).isPresent())
          .findFirst()
          .ifPresent(node ->
              found.at(
                  node,
                  "this policy can reject "
                      + node.text().orElse("")
                      + " written by this agent or Kyverno, including its own fix"));
    }
  }

  /// Returns the resources in API groups of Kubernetes and Kyverno. Other groups have `policies`
  /// and `leases`, too.
  private static Stream<Node> ofOurGroups(CelPolicy policy) {
    return policy.spec().items("matchConstraints", "resourceRules").stream()
        .filter(rule ->
            rule.texts("apiGroups").isEmpty()
                || rule.texts("apiGroups").stream().anyMatch(AdmissionLockout::ours))
        .flatMap(rule -> rule.items("resources").stream());
  }

  private static boolean ours(String group) {
    return GROUPS.contains(group);
  }

  private static Optional<Node> critical(LegacyRule rule) {
    return FilterNodes.kinds(rule.node().at("match"), filter -> !filter.asksForName())
        .filter(node -> critical(KindName.of(node.text().orElse(""))))
        .findFirst();
  }

  private static boolean critical(KindName kind) {
    return kind.mayBeBuiltIn() && KINDS.contains(kind.kind());
  }

  private static boolean deletes(KindName kind) {
    return critical(kind)
        || (kind.mayBeBuiltIn() && DEPENDED_ON.contains(kind.kind()))
        || kind.isWildcard();
  }

  private static boolean deletesResource(String resource) {
    return RESOURCES.contains(resource)
        || resource.equals("secrets")
        || resource.equals("serviceaccounts")
        || resource.equals("*");
  }

  /// Reports a deleting policy, as a warning if it has conditions: these select some of the
  /// objects, but can still be wrong.
  private static void deleting(Node node, LintedPolicy policy, LintFindingSink found) {
    found.at(
        node,
        policy.spec().has("conditions") || policy.spec().has("matchConstraints", "objectSelector")
            ? LintSeverity.WARNING
            : LintSeverity.ERROR,
        "this policy can delete "
            + (node.isText("*") ? "anything" : node.text().orElse(""))
            + ", which the agent or Kyverno depends on",
        "Match by name, or exclude these objects.");
  }
}
