package dev.policysync.policy.kyverno;

import dev.policysync.policy.PolicyKind;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A kind as written in a ClusterPolicy: `Pod`, `apps/v1/Deployment`, `*`, `Pod/exec`, `*/*/Scale`.
///
/// @param kind the kind without group and version
/// @param plain whether only the kind was written
/// @param group the API group, if it was written and is not a wildcard
public record KindName(String kind, boolean plain, Optional<String> group) {
  /// The kinds of Pod controllers that autogen supports.
  public static final Set<String> POD_CONTROLLERS =
      Set.of(
          "DaemonSet",
          "Deployment",
          "Job",
          "StatefulSet",
          "ReplicaSet",
          "ReplicationController",
          "CronJob");

  private static final Pattern VERSION = Pattern.compile("v\\d+((alpha|beta)\\d+)?");

  private static final Set<String> CLUSTER_SCOPED =
      Stream.concat(
              PolicyKind.all().stream().filter(kind -> !kind.namespaced()).map(PolicyKind::kind),
              Stream.of(
                  "APIService",
                  "CertificateSigningRequest",
                  "ClusterRole",
                  "ClusterRoleBinding",
                  "CSIDriver",
                  "CSINode",
                  "CustomResourceDefinition",
                  "IngressClass",
                  "MutatingWebhookConfiguration",
                  "Namespace",
                  "Node",
                  "PersistentVolume",
                  "PriorityClass",
                  "RuntimeClass",
                  "StorageClass",
                  "ValidatingWebhookConfiguration",
                  "VolumeAttachment"))
          .collect(Collectors.toUnmodifiableSet());

  public KindName(String kind, boolean plain) {
    this(kind, plain, Optional.empty());
  }

  /// Returns the kind of an object with its apiVersion: `v1`, `iam.aws.crossplane.io/v1beta1`.
  public static KindName of(String apiVersion, String kind) {
    var slash = apiVersion.indexOf('/');
    var name = of(kind);
    return slash < 0
        ? name
        : new KindName(name.kind(), false, group(apiVersion.substring(0, slash)));
  }

  /// Parses a kind. The kind is the first part that begins with a capital letter, otherwise the
  /// last part; versions and groups are in lower case.
  public static KindName of(String text) {
    var parts = text.split("/", -1);
    for (var part : parts) {
      if (!part.isEmpty() && Character.isUpperCase(part.charAt(0))) {
        var dot = part.indexOf('.');
        return new KindName(
            dot < 0 ? part : part.substring(0, dot),
            parts.length == 1 && dot < 0,
            part.equals(parts[0]) ? Optional.empty() : group(parts[0]));
      }
    }
    return new KindName(parts[parts.length - 1], parts.length == 1);
  }

  /// Returns the group; empty for a version alone (`v1/Pod`) and for a pattern.
  private static Optional<String> group(String text) {
    return Optional.of(text)
        .filter(group -> !VERSION.matcher(group).matches() && !Glob.isPattern(group));
  }

  /// Returns whether this may be a kind of Kubernetes itself or of Kyverno. Other groups have kinds
  /// of the same names: a `Role` of `iam.aws.crossplane.io` is not the one of Kubernetes.
  public boolean mayBeBuiltIn() {
    return group.isEmpty()
        || !group.get().contains(".")
        || group.get().endsWith(".k8s.io")
        || group.get().equals("kyverno.io")
        || group.get().endsWith(".kyverno.io");
  }

  public boolean isPod() {
    return kind.equals("Pod");
  }

  public boolean isWildcard() {
    return kind.equals("*");
  }

  /// Returns whether the kind is known to be cluster-scoped.
  public boolean isClusterScoped() {
    return mayBeBuiltIn() && CLUSTER_SCOPED.contains(kind);
  }
}
