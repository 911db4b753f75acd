package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A policy that chooses resources by `matchConstraints` and judges them by CEL: Kyverno's newer
/// kinds and the API server's own.
record CelPolicy(LintedPolicy lintedPolicy) {
  private static final String GROUP = PolicyKind.VALIDATING_POLICY.group();
  private static final Set<PolicyKind> VALIDATING =
      Set.of(
          PolicyKind.VALIDATING_POLICY,
          PolicyKind.NAMESPACED_VALIDATING_POLICY,
          PolicyKind.IMAGE_VALIDATING_POLICY,
          PolicyKind.NAMESPACED_IMAGE_VALIDATING_POLICY);
  private static final Set<PolicyKind> MUTATING =
      Set.of(PolicyKind.MUTATING_POLICY, PolicyKind.NAMESPACED_MUTATING_POLICY);
  private static final Set<PolicyKind> BUILT_IN =
      Set.of(PolicyKind.VALIDATING_ADMISSION_POLICY, PolicyKind.MUTATING_ADMISSION_POLICY);
  private static final Set<String> CLUSTER_SCOPED =
      Set.of(
          "certificatesigningrequests",
          "clusterrolebindings",
          "clusterroles",
          "customresourcedefinitions",
          "ingressclasses",
          "mutatingwebhookconfigurations",
          "namespaces",
          "nodes",
          "persistentvolumes",
          "priorityclasses",
          "runtimeclasses",
          "storageclasses",
          "validatingwebhookconfigurations");

  /// That policy, if it is one.
  static Optional<CelPolicy> of(LintedPolicy lintedPolicy) {
    var kind = lintedPolicy.kind();
    return (kind.group().equals(GROUP) && kind != PolicyKind.CEL_EXCEPTION)
            || BUILT_IN.contains(kind)
        ? Optional.of(new CelPolicy(lintedPolicy))
        : Optional.empty();
  }

  /// Whether policies of that kind have validationActions of their own.
  static boolean validates(PolicyKind kind) {
    return VALIDATING.contains(kind);
  }

  Node spec() {
    return lintedPolicy.spec();
  }

  /// The resources that it matches, each where it is written.
  List<Node> resources() {
    return spec().items("matchConstraints", "resourceRules").stream()
        .flatMap(rule -> rule.items("resources").stream())
        .toList();
  }

  /// A resource that is known to live in no namespace.
  static boolean isClusterScoped(Node resource) {
    return resource.text().filter(CLUSTER_SCOPED::contains).isPresent();
  }

  /// Whether it refuses what breaks it; no validationActions mean Deny.
  boolean denies() {
    var actions = spec().texts("validationActions");
    return validates(lintedPolicy.kind()) && (actions.isEmpty() || actions.contains("Deny"));
  }

  /// Whether requests wait for Kyverno because of it.
  boolean askedByWebhook() {
    return (VALIDATING.contains(lintedPolicy.kind()) || MUTATING.contains(lintedPolicy.kind()))
        && spec().at("evaluation", "admission", "enabled").filter(node -> node.is(false)).isEmpty();
  }

  /// Whether requests are refused while Kyverno does not answer, which is the default.
  boolean failsClosed() {
    return spec().text("failurePolicy").filter("Ignore"::equals).isEmpty();
  }
}
