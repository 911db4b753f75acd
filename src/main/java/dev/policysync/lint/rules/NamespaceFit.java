package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;

/// Reports cluster-scoped policies with a namespace, and namespaced policies without one.
final class NamespaceFit implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS040",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Namespace does not fit the kind",
        """
        The API server drops `metadata.namespace` of a cluster-scoped policy: the policy applies to the whole \
        cluster, not to that namespace. A namespaced policy without it is applied to whatever namespace `kubectl` \
        or a kustomization chooses; a sync has no such default and rejects the document.\
        """,
        "Remove metadata.namespace, or use the namespaced kind.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var metadata = policy.root().at("metadata").orElse(policy.root());
    var namespace = metadata.at("namespace").filter(node -> !node.isText(""));
    if (!policy.kind().namespaced()) {
      namespace.ifPresent(node ->
          found.at(
              node,
              policy.kind().kind()
                  + " is cluster-scoped; the API server drops the namespace "
                  + node.text().orElse("")));
    } else if (namespace.flatMap(Node::text).isEmpty()) {
      found.at(
          metadata,
          policy.kind().kind() + " is namespaced, but has no metadata.namespace; a sync rejects it",
          "Set metadata.namespace.");
    }
  }
}
