package dev.policysync.convert;

import dev.policysync.policy.kyverno.KindName;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The field of an object from which a value comes, as far as it is known: `spec.containers.image`
/// of a Pod. Lists on the path leave no trace, so a field's origin is also that of its items.
///
/// The origin tells what an API server validates before Kyverno sees the object: that a field is
/// not a list or a map, or that its strings have no braces. Source: Kubernetes 1.36,
/// pkg/apis/core/validation and the types of its API.
///
/// @param kinds the kinds that the object may have; empty if they are unknown
/// @param path the path of the field; empty for the object itself
record Origin(Set<String> kinds, String path) {
  private static final String LIST = "#list";

  private static final Pattern POD_TEMPLATE =
      Pattern.compile("spec\\.(jobTemplate\\.spec\\.)?template\\.");

  /// Metadata of every object: labels, names and the like are validated, also of custom resources.
  private static final Fields METADATA =
      new Fields(
          "apiVersion|kind|metadata\\.(name|namespace|generateName|uid|annotations\\..*"
              + "|ownerReferences\\.(name|kind|apiVersion|uid)|creationTimestamp)",
          "apiVersion|kind|metadata\\.(namespace|uid|labels(\\..*)?|finalizers)");

  /// Metadata of a Pod template, of which the API server validates only labels and the keys of
  /// annotations.
  private static final Fields TEMPLATE_METADATA =
      new Fields(
          "metadata\\.(name|namespace|generateName|uid|annotations\\..*|creationTimestamp)",
          "metadata\\.labels(\\..*)?");

  /// The name of an object, which is a DNS name except for the kinds of [#OF_ANY_NAME].
  private static final Fields NAME = new Fields("(?!)", "metadata\\.(name|generateName)");

  private static final Fields OF_REQUEST = Fields.scalars("request\\.userInfo\\.(username|uid)");

  private static final Fields POD =
      new Fields(
          "spec\\.((restartPolicy|dnsPolicy|serviceAccountName|serviceAccount|nodeName|hostname"
              + "|subdomain|schedulerName|priorityClassName|priority|runtimeClassName|hostNetwork"
              + "|hostPID|hostIPC|hostUsers|automountServiceAccountToken|shareProcessNamespace"
              + "|terminationGracePeriodSeconds|activeDeadlineSeconds|enableServiceLinks"
              + "|preemptionPolicy)"
              + "|containers\\.(name|image|imagePullPolicy|workingDir|stdin|tty|terminationMessagePath"
              + "|terminationMessagePolicy|restartPolicy"
              + "|ports\\.[a-zA-Z]+|env\\.(name|value)|volumeMounts\\.(name|mountPath|readOnly|subPath)"
              + "|resources\\.(limits|requests)\\..*"
              + "|securityContext\\.(privileged|allowPrivilegeEscalation|readOnlyRootFilesystem"
              + "|runAsNonRoot|runAsUser|runAsGroup|procMount))"
              + "|volumes\\.(name|hostPath\\.(path|type)|secret\\.secretName|configMap\\.name"
              + "|persistentVolumeClaim\\.claimName)"
              + "|securityContext\\.(runAsNonRoot|runAsUser|runAsGroup|fsGroup))",
          "spec\\.((restartPolicy|dnsPolicy|serviceAccountName|priorityClassName|runtimeClassName"
              + "|hostname|subdomain|preemptionPolicy|nodeSelector)"
              + "|containers\\.(name|imagePullPolicy|volumeMounts\\.name"
              + "|ports\\.(name|protocol|containerPort|hostPort)"
              + "|resources\\.(limits|requests)(\\..*)?)"
              + "|volumes\\.name)");

  private static final Map<String, Fields> OF_KIND =
      Map.of(
          "ConfigMap", Fields.scalars("(data|binaryData)\\..*|immutable"),
          "Secret", new Fields("(data|stringData)\\..*|type|immutable", "data\\..*"),
          "Ingress",
              new Fields(
                  "spec\\.(ingressClassName|rules\\.host|tls\\.secretName)",
                  "spec\\.(rules\\.host|tls\\.hosts)"),
          "Service",
              new Fields(
                  "spec\\.(type|clusterIP|externalName|externalTrafficPolicy|internalTrafficPolicy"
                      + "|sessionAffinity|loadBalancerIP|ports\\.[a-zA-Z]+)",
                  "spec\\.(type|clusterIPs?|externalIPs|externalTrafficPolicy"
                      + "|internalTrafficPolicy|sessionAffinity|loadBalancerSourceRanges"
                      + "|ipFamilies|ports\\.(name|protocol))"),
          "PersistentVolumeClaim",
              new Fields(
                  "spec\\.(storageClassName|volumeName|volumeMode|resources\\.requests\\..*)",
                  "spec\\.accessModes"),
          "PersistentVolume",
              new Fields(
                  "spec\\.(storageClassName|volumeMode|persistentVolumeReclaimPolicy"
                      + "|capacity\\..*|hostPath\\.(path|type))",
                  "spec\\.accessModes"),
          "PodDisruptionBudget",
              new Fields(
                  "spec\\.(minAvailable|maxUnavailable)", "spec\\.(minAvailable|maxUnavailable)"),
          "CronJob",
              new Fields(
                  "spec\\.(schedule|timeZone|concurrencyPolicy|suspend)",
                  "spec\\.(schedule|timeZone|concurrencyPolicy)"),
          "RoleBinding", Fields.scalars("(roleRef|subjects)\\.(apiGroup|kind|name|namespace)"),
          "ClusterRoleBinding",
              Fields.scalars("(roleRef|subjects)\\.(apiGroup|kind|name|namespace)"));

  /// Fields of controllers that have a number of replicas.
  private static final Fields SCALED = Fields.scalars("spec\\.(replicas|paused|minReadySeconds)");

  private static final Pattern PLAIN_KEYS = Pattern.compile("metadata(\\.(labels|annotations))?");

  private static final Set<String> POD_MAKERS = podMakers();

  /// Kinds whose objects may have names with braces. Source: Kubernetes 1.36,
  /// pkg/apis/rbac/validation and pkg/apis/certificates/validation.
  private static final Set<String> OF_ANY_NAME =
      Set.of(
          "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "CertificateSigningRequest");

  /// Fields, by what is certain of them.
  ///
  /// @param scalar the fields that are never a list or a map
  /// @param braceless the fields that have no braces in any string
  private record Fields(Pattern scalar, Pattern braceless) {
    private static final String NONE = "(?!)";

    private Fields(String scalar, String braceless) {
      this(Pattern.compile(scalar), Pattern.compile(braceless));
    }

    /// Makes scalar fields whose strings may have braces.
    private static Fields scalars(String scalar) {
      return new Fields(scalar, NONE);
    }

    private void addTo(EnumSet<Term.Trait> traits, String path) {
      if (scalar.matcher(path).matches()) {
        traits.add(Term.Trait.SCALAR);
      }
      if (braceless.matcher(path).matches()) {
        traits.add(Term.Trait.BRACELESS);
      }
    }
  }

  Origin {
    kinds = Set.copyOf(kinds);
  }

  static Origin of(Collection<String> kinds) {
    return new Origin(new HashSet<>(kinds), "");
  }

  /// Returns the origin of the API server's list of objects of these kinds.
  static Origin ofList(Collection<String> kinds) {
    return new Origin(new HashSet<>(kinds), LIST);
  }

  static Origin ofUser() {
    return new Origin(Set.of(), "request.userInfo");
  }

  Origin field(String name) {
    if (path.equals(LIST)) {
      return new Origin(kinds, name.equals("items") ? "" : LIST + "." + name);
    }
    // All lists of containers have the same fields.
    var known =
        Set.of("initContainers", "ephemeralContainers").contains(name) ? "containers" : name;
    return new Origin(kinds, path.isEmpty() ? known : path + "." + known);
  }

  /// Returns what is certain of values from this origin.
  Set<Term.Trait> traits() {
    var traits = EnumSet.noneOf(Term.Trait.class);
    METADATA.addTo(traits, path);
    OF_REQUEST.addTo(traits, path);
    if (haveDnsNames()) {
      NAME.addTo(traits, path);
    }
    for (var fields : ofKinds()) {
      fields.addTo(traits, path);
    }
    if (!kinds.isEmpty() && POD_MAKERS.containsAll(kinds)) {
      SCALED.addTo(traits, path);
      if (!kinds.contains("Pod")) {
        var template = POD_TEMPLATE.matcher(path);
        if (template.lookingAt()) {
          POD.addTo(traits, path.substring(template.end()));
          TEMPLATE_METADATA.addTo(traits, path.substring(template.end()));
        }
      } else if (kinds.equals(Set.of("Pod"))) {
        POD.addTo(traits, path);
      }
    }
    return traits;
  }

  /// Returns whether the API server accepts no names with braces for any of these kinds.
  private boolean haveDnsNames() {
    return !kinds.isEmpty()
        && kinds.stream().allMatch(kind -> kind.matches("[A-Za-z]+"))
        && kinds.stream().noneMatch(OF_ANY_NAME::contains);
  }

  /// Returns whether no name of a field below this one has braces.
  boolean hasPlainKeys() {
    var template = POD_TEMPLATE.matcher(path);
    var inPod = template.lookingAt() ? path.substring(template.end()) : path;
    return PLAIN_KEYS.matcher(path).matches()
        || (kinds.equals(Set.of("ConfigMap")) && path.matches("data|binaryData"))
        || (!kinds.isEmpty()
            && POD_MAKERS.containsAll(kinds)
            && inPod.matches("spec(\\.(containers|volumes))?"));
  }

  /// Returns the known fields of the kind, if it is the only one.
  private List<Fields> ofKinds() {
    return kinds.size() == 1 && OF_KIND.containsKey(kinds.iterator().next())
        ? List.of(OF_KIND.get(kinds.iterator().next()))
        : List.of();
  }

  private static Set<String> podMakers() {
    var kinds = new HashSet<>(KindName.POD_CONTROLLERS);
    kinds.add("Pod");
    return Set.copyOf(kinds);
  }
}
