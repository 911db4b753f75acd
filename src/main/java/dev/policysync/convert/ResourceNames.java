package dev.policysync.convert;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The resource names of kinds that a rule names without their group: `ingresses` for Ingress. Only
/// the CRD of a custom resource defines its plural, so custom kinds are unknown unless they are
/// listed here.
final class ResourceNames {
  private static final Set<String> KINDS =
      Set.of(
          "APIService",
          "CertificateSigningRequest",
          "ClusterRole",
          "ClusterRoleBinding",
          "ConfigMap",
          "ControllerRevision",
          "CronJob",
          "CSIDriver",
          "CSINode",
          "CustomResourceDefinition",
          "DaemonSet",
          "Deployment",
          "Endpoints",
          "EndpointSlice",
          "Event",
          "HorizontalPodAutoscaler",
          "Ingress",
          "IngressClass",
          "Job",
          "Lease",
          "LimitRange",
          "MutatingWebhookConfiguration",
          "Namespace",
          "NetworkPolicy",
          "Node",
          "PersistentVolume",
          "PersistentVolumeClaim",
          "Pod",
          "PodDisruptionBudget",
          "PodTemplate",
          "PriorityClass",
          "ReplicaSet",
          "ReplicationController",
          "ResourceQuota",
          "Role",
          "RoleBinding",
          "RuntimeClass",
          "Secret",
          "Service",
          "ServiceAccount",
          "StatefulSet",
          "StorageClass",
          "ValidatingWebhookConfiguration",
          "VolumeAttachment");

  /// Custom kinds that policies name without their group and whose CRDs have the usual plural:
  /// Argo, Flux, cert-manager, Istio, Traefik, Linkerd, Tekton, Velero, Karpenter, KubeVirt,
  /// OpenShift, Consul, Kasten, the Gateway API, Prometheus' operator, external secrets.
  private static final Set<String> CUSTOM =
      Set.of(
          "Application",
          "ApplicationSet",
          "AppProject",
          "AuthorizationPolicy",
          "Backup",
          "BackupStorageLocation",
          "BuildConfig",
          "Certificate",
          "CertificateRequest",
          "ClusterExternalSecret",
          "ClusterIssuer",
          "ClusterSecretStore",
          "DestinationRule",
          "ExternalSecret",
          "Gateway",
          "GatewayClass",
          "GitRepository",
          "GRPCRoute",
          "HelmRelease",
          "HelmRepository",
          "HTTPRoute",
          "IngressRoute",
          "Issuer",
          "Kustomization",
          "Mesh",
          "Middleware",
          "NodePool",
          "OCIRepository",
          "PeerAuthentication",
          "Pipeline",
          "PipelineRun",
          "PodMonitor",
          "Profile",
          "Project",
          "ProjectRequest",
          "PrometheusRule",
          "Restore",
          "Rollout",
          "Route",
          "Schedule",
          "SecretStore",
          "Server",
          "ServerAuthorization",
          "ServiceEntry",
          "ServiceMonitor",
          "Sidecar",
          "Task",
          "TaskRun",
          "TLSOption",
          "VirtualMachine",
          "VirtualMachineInstance",
          "VirtualService",
          "Workflow");

  private ResourceNames() {}

  /// Returns the resource names of a kind; empty if the kind is not known. There are two names
  /// where usage is divided, or where Kyverno's command line guesses another one.
  static Optional<List<String>> of(String kind) {
    if (!KINDS.contains(kind) && !CUSTOM.contains(kind)) {
      return Optional.empty();
    }
    var plural = plural(kind);
    if (kind.endsWith("sh")) {
      return Optional.of(List.of(plural, plural(kind + "e")));
    }
    return Optional.of(
        kind.matches(".*[aeou]y")
            ? List.of(kind.toLowerCase(Locale.ROOT) + "s", plural)
            : List.of(plural));
  }

  static boolean isOfKubernetes(String kind) {
    return KINDS.contains(kind);
  }

  /// Returns the kind of Kubernetes with that resource name.
  static Optional<String> kindOf(String resources) {
    return KINDS.stream().filter(kind -> plural(kind).equals(resources)).findFirst();
  }

  private static String plural(String kind) {
    var singular = kind.toLowerCase(Locale.ROOT);
    if (singular.equals("endpoints")) {
      return singular;
    }
    if (singular.endsWith("s")) {
      return singular + "es";
    }
    return singular.endsWith("y")
        ? singular.substring(0, singular.length() - 1) + "ies"
        : singular + "s";
  }
}
