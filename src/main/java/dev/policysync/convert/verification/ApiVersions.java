package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.Map;

/// Finds the apiVersion of a kind: the one that the rule writes, else that of Kubernetes.
final class ApiVersions {
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("DaemonSet", "apps/v1"),
          Map.entry("Deployment", "apps/v1"),
          Map.entry("ReplicaSet", "apps/v1"),
          Map.entry("StatefulSet", "apps/v1"),
          Map.entry("CronJob", "batch/v1"),
          Map.entry("Job", "batch/v1"),
          Map.entry("Ingress", "networking.k8s.io/v1"),
          Map.entry("NetworkPolicy", "networking.k8s.io/v1"),
          Map.entry("ClusterRole", "rbac.authorization.k8s.io/v1"),
          Map.entry("ClusterRoleBinding", "rbac.authorization.k8s.io/v1"),
          Map.entry("Role", "rbac.authorization.k8s.io/v1"),
          Map.entry("RoleBinding", "rbac.authorization.k8s.io/v1"),
          Map.entry("StorageClass", "storage.k8s.io/v1"),
          Map.entry("PodDisruptionBudget", "policy/v1"),
          Map.entry("HorizontalPodAutoscaler", "autoscaling/v2"));

  private ApiVersions() {}

  static String of(Value.Mapping rule, KindName kind) {
    return ResourceFilter.of(rule.mapping("match")).stream()
        .flatMap(filter -> filter.block().mapping("resources").texts("kinds").stream())
        .filter(text -> text.endsWith("/" + kind.kind()) && text.split("/", -1).length == 3)
        .map(text -> text.substring(0, text.lastIndexOf('/')).replace("*", "v1"))
        .findFirst()
        .orElseGet(() -> OTHERS.getOrDefault(kind.kind(), "v1"));
  }
}
