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
import java.util.Optional;
import java.util.Set;

/// Reports policies that fail closed on resources that a cluster needs to start. With such a
/// policy, nothing starts while Kyverno is down.
final class FailClosed implements Rule {
  private static final Set<String> KINDS = Set.of("Node", "CertificateSigningRequest", "*");
  private static final Set<String> RESOURCES = Set.of("nodes", "certificatesigningrequests", "*");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS006",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Fails closed on resources required for cluster startup",
        """
        With `failurePolicy: Fail`, which is the default, the API server rejects every matching request while \
        Kyverno is unavailable. For Nodes, certificate requests and `*` this can lock up the whole cluster: after a \
        restart, nodes cannot register, and Kyverno's Pods have nowhere to run (kyverno#2869, #11122, #16177). \
        Kyverno 1.19 has `--excludeBootstrapResources` to prevent this, off by default.

        Only blocking rules are reported, and no Pods or Secrets: Kyverno's chart excludes kube-system and Kyverno's \
        own namespace from its webhooks. An installation without that (`config.webhooks`, \
        `config.excludeKyvernoNamespace`) needs `Ignore` for them, too.\
        """,
        "Set spec.webhookConfiguration.failurePolicy: Ignore (in CEL policies"
            + " spec.failurePolicy), or suppress this finding with a reason and run several"
            + " replicas of Kyverno on several nodes.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (policy.kind().namespaced()) {
      return;
    }
    LegacyPolicy.of(policy)
        .filter(LegacyPolicy::failsClosed)
        .flatMap(FailClosed::broad)
        .ifPresent(kind -> found.at(kind, message(kind)));
    CelPolicy.of(policy)
        .filter(cel -> cel.evaluatesRequests() && cel.failsClosed() && cel.denies())
        .filter(cel ->
            !cel.spec().has("matchConstraints", "namespaceSelector")
                && !cel.spec().has("matchConstraints", "objectSelector"))
        .flatMap(FailClosed::broad)
        .ifPresent(resource -> found.at(resource, message(resource)));
  }

  private static Optional<Node> broad(LegacyPolicy policy) {
    return policy.rules().stream()
        .filter(LegacyRule::blocks)
        .flatMap(rule -> rule.kindNodes().stream())
        .filter(node ->
            node.text()
                .map(KindName::of)
                .filter(kind -> kind.mayBeBuiltIn() && KINDS.contains(kind.kind()))
                .isPresent())
        .findFirst();
  }

  private static Optional<Node> broad(CelPolicy policy) {
    return policy.resources().stream()
        .filter(node -> node.text().filter(RESOURCES::contains).isPresent())
        .findFirst();
  }

  private static String message(Node kind) {
    var text = kind.text().orElse("");
    return "while Kyverno is unavailable, the API server rejects every write of "
        + (text.equals("*") ? "anything" : text)
        + ", because this policy fails closed";
  }
}
