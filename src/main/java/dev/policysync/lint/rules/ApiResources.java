package dev.policysync.lint.rules;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The resources of Kubernetes 1.27 to 1.37 that policies match: their kinds, groups, versions and
/// scope.
final class ApiResources {
  /// Each line is a group with its versions, then `resource=Kind`; `!` follows a resource without a
  /// namespace. The core group is `core`; `extensions` has had no resources since 1.22.
  private static final String TABLE =
      """
      core v1 bindings=Binding componentstatuses!=ComponentStatus configmaps=ConfigMap endpoints=Endpoints \
      events=Event limitranges=LimitRange namespaces!=Namespace nodes!=Node \
      persistentvolumeclaims=PersistentVolumeClaim persistentvolumes!=PersistentVolume pods=Pod \
      podtemplates=PodTemplate replicationcontrollers=ReplicationController resourcequotas=ResourceQuota \
      secrets=Secret serviceaccounts=ServiceAccount services=Service
      admissionregistration.k8s.io v1,v1beta1,v1alpha1 mutatingwebhookconfigurations!=MutatingWebhookConfiguration \
      validatingwebhookconfigurations!=ValidatingWebhookConfiguration \
      validatingadmissionpolicies!=ValidatingAdmissionPolicy \
      validatingadmissionpolicybindings!=ValidatingAdmissionPolicyBinding
      apiextensions.k8s.io v1 customresourcedefinitions!=CustomResourceDefinition
      apiregistration.k8s.io v1 apiservices!=APIService
      apps v1 controllerrevisions=ControllerRevision daemonsets=DaemonSet deployments=Deployment \
      replicasets=ReplicaSet statefulsets=StatefulSet
      autoscaling v1,v2 horizontalpodautoscalers=HorizontalPodAutoscaler
      batch v1 cronjobs=CronJob jobs=Job
      certificates.k8s.io v1,v1beta1,v1alpha1 certificatesigningrequests!=CertificateSigningRequest
      coordination.k8s.io v1,v1beta1,v1alpha1,v1alpha2 leases=Lease
      discovery.k8s.io v1 endpointslices=EndpointSlice
      events.k8s.io v1 events=Event
      extensions v1beta1
      networking.k8s.io v1,v1beta1,v1alpha1 ingressclasses!=IngressClass ingresses=Ingress \
      networkpolicies=NetworkPolicy
      node.k8s.io v1 runtimeclasses!=RuntimeClass
      policy v1 poddisruptionbudgets=PodDisruptionBudget
      rbac.authorization.k8s.io v1 clusterrolebindings!=ClusterRoleBinding clusterroles!=ClusterRole \
      rolebindings=RoleBinding roles=Role
      scheduling.k8s.io v1,v1alpha1 priorityclasses!=PriorityClass
      storage.k8s.io v1,v1beta1,v1alpha1 csidrivers!=CSIDriver csinodes!=CSINode storageclasses!=StorageClass \
      volumeattachments!=VolumeAttachment csistoragecapacities=CSIStorageCapacity
      """;

  private static final Map<String, Group> GROUPS = new LinkedHashMap<>();
  private static final Map<String, String> RESOURCES_BY_KIND = new HashMap<>();

  /// A group of the API server.
  ///
  /// @param resources the scope of each resource
  private record Group(Set<String> versions, Map<String, Scope> resources) {}

  enum Scope {
    CLUSTER,
    NAMESPACED;

    /// Returns the value of `scope` in a rule.
    String text() {
      return this == CLUSTER ? "Cluster" : "Namespaced";
    }
  }

  static {
    TABLE.lines().forEach(ApiResources::read);
  }

  private ApiResources() {}

  private static void read(String line) {
    var words = line.split(" +", -1);
    var resources = new HashMap<String, Scope>();
    for (int i = 2; i < words.length; i++) {
      var equals = words[i].indexOf('=');
      var cluster = words[i].charAt(equals - 1) == '!';
      var resource = words[i].substring(0, cluster ? equals - 1 : equals);
      resources.put(resource, cluster ? Scope.CLUSTER : Scope.NAMESPACED);
      RESOURCES_BY_KIND.put(words[i].substring(equals + 1).toLowerCase(Locale.ROOT), resource);
    }
    GROUPS.put(
        words[0].equals("core") ? "" : words[0],
        new Group(Set.of(words[1].split(",", -1)), resources));
  }

  static boolean isGroup(String group) {
    return GROUPS.containsKey(group);
  }

  /// Returns the first group that has the resource.
  static Optional<String> groupOf(String resource) {
    return GROUPS.entrySet().stream()
        .filter(group -> group.getValue().resources().containsKey(resource))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /// Returns the scope of a resource, if the group has it.
  static Optional<Scope> scope(String group, String resource) {
    return Optional.ofNullable(GROUPS.get(group)).map(found -> found.resources().get(resource));
  }

  static boolean hasVersion(String group, String version) {
    return Optional.ofNullable(GROUPS.get(group))
        .filter(found -> found.versions().contains(version))
        .isPresent();
  }

  /// Returns the resource of a kind, in any case and also where it is written as a plural: `pods`
  /// for `Pod`, `pod` and `Pods`. Empty for a resource.
  static Optional<String> resourceOfKind(String word) {
    var lower = word.toLowerCase(Locale.ROOT);
    var resource = RESOURCES_BY_KIND.get(lower);
    if (resource == null && !word.equals(lower) && groupOf(lower).isPresent()) {
      resource = lower;
    }
    return Optional.ofNullable(resource).filter(found -> !found.equals(word));
  }
}
