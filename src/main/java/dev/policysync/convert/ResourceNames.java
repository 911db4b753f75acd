package dev.policysync.convert;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The resource names of kinds that a rule names without their group: `ingresses` for Ingress. Only
/// the CRD of a custom resource defines its plural, so custom kinds are unknown unless they are
/// listed here.
public final class ResourceNames {
  /// The apiVersions of Kubernetes' own kinds.
  private static final Map<String, String> API_VERSIONS =
      table(
          """
          v1: ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume
          v1: PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret
          v1: Service ServiceAccount
          admissionregistration.k8s.io/v1: MutatingWebhookConfiguration
          admissionregistration.k8s.io/v1: ValidatingWebhookConfiguration
          apiextensions.k8s.io/v1: CustomResourceDefinition
          apiregistration.k8s.io/v1: APIService
          apps/v1: ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
          autoscaling/v2: HorizontalPodAutoscaler
          batch/v1: CronJob Job
          certificates.k8s.io/v1: CertificateSigningRequest
          coordination.k8s.io/v1: Lease
          discovery.k8s.io/v1: EndpointSlice
          networking.k8s.io/v1: Ingress IngressClass NetworkPolicy
          node.k8s.io/v1: RuntimeClass
          policy/v1: PodDisruptionBudget
          rbac.authorization.k8s.io/v1: ClusterRole ClusterRoleBinding Role RoleBinding
          scheduling.k8s.io/v1: PriorityClass
          storage.k8s.io/v1: CSIDriver CSINode StorageClass VolumeAttachment
          """);

  /// The makers of custom kinds that policies name without their group and whose CRDs have the
  /// usual plural.
  private static final Map<String, String> CUSTOM =
      table(
          """
          Argo: Application ApplicationSet AppProject Rollout Workflow
          cert-manager: Certificate CertificateRequest ClusterIssuer Issuer
          Consul: Mesh
          external secrets: ClusterExternalSecret ClusterSecretStore ExternalSecret SecretStore
          Flux: GitRepository HelmRelease HelmRepository Kustomization OCIRepository
          Gateway API: Gateway GatewayClass GRPCRoute HTTPRoute
          Istio: AuthorizationPolicy DestinationRule PeerAuthentication ServiceEntry Sidecar
          Istio: VirtualService
          Karpenter: NodePool
          Kasten: Profile
          KubeVirt: VirtualMachine VirtualMachineInstance
          Linkerd: Server ServerAuthorization
          OpenShift: BuildConfig Project ProjectRequest Route
          Prometheus: PodMonitor PrometheusRule ServiceMonitor
          Tekton: Pipeline PipelineRun Task TaskRun
          Traefik: IngressRoute Middleware TLSOption
          Velero: Backup BackupStorageLocation Restore Schedule
          """);

  private ResourceNames() {}

  /// Returns the text before the colon in its row, by each word after it.
  private static Map<String, String> table(String rows) {
    return rows.lines()
        .map(row -> row.split(": ", 2))
        .flatMap(row -> Stream.of(row[1].split(" ", -1)).map(kind -> Map.entry(kind, row[0])))
        .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Returns the resource names of a kind; empty if the kind is not known. There are two names
  /// where usage is divided, or where Kyverno's command line guesses another one.
  static Optional<List<String>> of(String kind) {
    if (!isOfKubernetes(kind) && !CUSTOM.containsKey(kind)) {
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
    return API_VERSIONS.containsKey(kind);
  }

  /// Returns the apiVersion of a kind of Kubernetes: `apps/v1`; that of the core group for others.
  public static String apiVersion(String kind) {
    return API_VERSIONS.getOrDefault(kind, "v1");
  }

  /// Returns the kind of Kubernetes with that resource name: `Pod` for `pods`.
  public static Optional<String> kindOf(String resources) {
    return API_VERSIONS.keySet().stream()
        .filter(kind -> plural(kind).equals(resources))
        .findFirst();
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
