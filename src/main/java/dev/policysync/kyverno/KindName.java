package dev.policysync.kyverno;

import dev.policysync.policy.PolicyKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A kind as a ClusterPolicy names it: `Pod`, `apps/v1/Deployment`, `*`, `Pod/exec`, `*/*/Scale`.
///
/// @param kind without group and version
/// @param plain whether nothing but the kind was written
public record KindName(String kind, boolean plain) {
  /// The kinds that make pods, as autogen knows them.
  public static final Set<String> POD_CONTROLLERS =
      Set.of(
          "DaemonSet",
          "Deployment",
          "Job",
          "StatefulSet",
          "ReplicaSet",
          "ReplicationController",
          "CronJob");

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

  /// The kind is the first part that begins with a capital or is the last; versions and groups are
  /// written small.
  public static KindName of(String text) {
    var parts = text.split("/", -1);
    for (var part : parts) {
      if (!part.isEmpty() && Character.isUpperCase(part.charAt(0))) {
        var dot = part.indexOf('.');
        return new KindName(dot < 0 ? part : part.substring(0, dot), parts.length == 1 && dot < 0);
      }
    }
    return new KindName(parts[parts.length - 1], parts.length == 1);
  }

  /// Whether it is Pod.
  public boolean isPod() {
    return kind.equals("Pod");
  }

  /// Any kind at all.
  public boolean isWildcard() {
    return kind.equals("*");
  }

  /// Known to live in no namespace.
  public boolean isClusterScoped() {
    return CLUSTER_SCOPED.contains(kind);
  }
}
