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
import java.util.stream.Stream;

/// Reports kinds that look like a misspelt kind of Kubernetes.
///
/// Source: Kyverno 1.19, `validKinds`: a kind that the cluster does not have is only a warning.
final class MisspeltKind implements Rule {
  private static final Set<String> KINDS =
      Set.of(
          "ClusterRole",
          "ClusterRoleBinding",
          "ConfigMap",
          "CronJob",
          "CustomResourceDefinition",
          "DaemonSet",
          "Deployment",
          "HorizontalPodAutoscaler",
          "Ingress",
          "Job",
          "LimitRange",
          "Namespace",
          "NetworkPolicy",
          "Node",
          "PersistentVolume",
          "PersistentVolumeClaim",
          "Pod",
          "PodDisruptionBudget",
          "ReplicaSet",
          "ResourceQuota",
          "Role",
          "RoleBinding",
          "Secret",
          "Service",
          "ServiceAccount",
          "StatefulSet",
          "StorageClass");

  /// The shortest kind to compare by letter: a third-party kind may differ from a shorter one by a
  /// letter.
  private static final int LONG = 6;

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS056",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Misspelt kind",
        """
        The kind is a plural, starts with a small letter, or differs by one letter from a kind of Kubernetes: `pod`, \
        `Deployments`, `StatfulSet`. Kyverno accepts the policy with a warning, and the rule never matches. A kind of \
        that name in another API group is named with its group: `example.com/*/Pods`.\
        """,
        "Correct the kind.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      Stream.of("match", "exclude")
          .flatMap(part -> FilterNodes.kinds(rule.node().at(part), _ -> true))
          .forEach(node -> judge(rule, node, found));
    }
  }

  private static void judge(LegacyRule rule, Node node, LintFindingSink found) {
    node.text()
        .map(KindName::of)
        .filter(KindName::mayBeBuiltIn)
        .flatMap(name -> meant(name.kind()))
        .ifPresent(kind ->
            found.at(
                node,
                rule.label()
                    + " names the kind "
                    + node.text().orElse("")
                    + ", which Kubernetes does not have",
                "Write " + kind + "."));
  }

  private static Optional<String> meant(String kind) {
    if (KINDS.contains(kind)) {
      return Optional.empty();
    }
    return KINDS.stream()
        .filter(known ->
            kind.equalsIgnoreCase(known)
                || kind.equalsIgnoreCase(known + "s")
                || kind.equalsIgnoreCase(known + "es")
                || (known.length() >= LONG && isOneEdit(kind, known)))
        .sorted()
        .findFirst();
  }

  /// Returns whether one letter was added, left out or changed, or two neighbours were swapped.
  private static boolean isOneEdit(String one, String other) {
    int start = 0;
    int shorter = Math.min(one.length(), other.length());
    while (start < shorter && one.charAt(start) == other.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
      end++;
    }
    var a = one.substring(start, one.length() - end);
    var b = other.substring(start, other.length() - end);
    return (a.length() <= 1 && b.length() <= 1)
        || (a.length() == 2 && a.equals(new StringBuilder(b).reverse().toString()));
  }
}
