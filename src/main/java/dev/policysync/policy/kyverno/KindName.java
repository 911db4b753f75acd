package dev.policysync.policy.kyverno;

import dev.policysync.policy.PolicyKind;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A kind as a ClusterPolicy names it: `Pod`, `apps/v1/Deployment`, `*`, `Pod/exec`, `*/*/Scale`.
///
/// @param kind without group and version
/// @param plain whether nothing but the kind was written
/// @param group the API group, where it is written and no wildcard
public record KindName(String kind, boolean plain, Optional<String> group) {
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

  /// A kind of any group.
  public KindName(String kind, boolean plain) {
    this(kind, plain, Optional.empty());
  }

  /// The kind of an object that says its apiVersion: `v1`, `iam.aws.crossplane.io/v1beta1`.
  public static KindName of(String apiVersion, String kind) {
    var slash = apiVersion.indexOf('/');
    var name = of(kind);
    return slash < 0
        ? name
        : new KindName(name.kind(), false, group(apiVersion.substring(0, slash)));
  }

  /// The kind is the first part that begins with a capital or is the last; versions and groups are
  /// written small.
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

  /// A version alone (`v1/Pod`) leaves the group open, and so does a pattern.
  private static Optional<String> group(String text) {
    return Optional.of(text)
        .filter(group -> !VERSION.matcher(group).matches() && !Glob.isPattern(group));
  }

  /// Whether it may be a kind of Kubernetes itself or of Kyverno, whose names others use as well: a
  /// `Role` of `iam.aws.crossplane.io` is none of them.
  public boolean mayBeBuiltIn() {
    return group.isEmpty()
        || !group.get().contains(".")
        || group.get().endsWith(".k8s.io")
        || group.get().equals("kyverno.io")
        || group.get().endsWith(".kyverno.io");
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
    return mayBeBuiltIn() && CLUSTER_SCOPED.contains(kind);
  }
}
