package dev.policysync.install;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Kubernetes objects as somebody would `kubectl apply` them.
record Manifests(List<Value.Mapping> objects) {
  private static final Path RBAC = Path.of("rbac", "kyverno-policy-sync.yaml");

  /// Where each kind that is used here is found.
  private static final Map<String, String> PATHS =
      Map.ofEntries(
          Map.entry("ConfigMap", "/api/v1/namespaces/%s/configmaps"),
          Map.entry("Secret", "/api/v1/namespaces/%s/secrets"),
          Map.entry("ServiceAccount", "/api/v1/namespaces/%s/serviceaccounts"),
          Map.entry("Namespace", "/api/v1/namespaces"),
          Map.entry("Pod", "/api/v1/namespaces/%s/pods"),
          Map.entry("CronJob", "/apis/batch/v1/namespaces/%s/cronjobs"),
          Map.entry("Job", "/apis/batch/v1/namespaces/%s/jobs"),
          Map.entry("NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/%s/networkpolicies"),
          Map.entry("Role", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles"),
          Map.entry("RoleBinding", "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings"),
          Map.entry("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles"),
          Map.entry(
              "ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"));

  Manifests {
    objects = List.copyOf(objects);
  }

  /// The documents of a YAML stream; those without content are left out.
  static Manifests of(String yaml) {
    return new Manifests(
        Stream.of(yaml.split("(?m)^---.*$", -1))
            .filter(text -> text.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
            .map(Documents::yaml)
            .toList());
  }

  static Manifests read(Path file) {
    try {
      return of(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /// The plain manifests of the agent's rights.
  static Manifests rbac() {
    return read(RBAC);
  }

  /// The only object of that kind.
  Value.Mapping only(String kind) {
    var found = all(kind);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " objects of kind " + kind + ", expected one");
    }
    return found.getFirst();
  }

  List<Value.Mapping> all(String kind) {
    return objects.stream().filter(object -> kind(object).equals(kind)).toList();
  }

  /// Applies them all, in their order.
  ///
  /// @param namespace of those that name none
  void apply(RawApi api, String namespace) {
    objects.forEach(object -> apply(api, object, namespace, "").ok());
  }

  /// Removes whichever are there.
  void delete(RawApi api, String namespace) {
    objects.forEach(object -> api.delete(path(object, namespace)));
  }

  /// What the API server would say to one.
  static RawApi.Reply dryRun(RawApi api, Value.Mapping object, String namespace) {
    return apply(api, object, namespace, "&dryRun=All&fieldValidation=Strict");
  }

  /// Where that object is.
  static String path(Value.Mapping object, String namespace) {
    var path = PATHS.get(kind(object));
    if (path == null) {
      throw new AssertionError("nobody expects a " + kind(object));
    }
    var metadata = object.mapping("metadata");
    return path.formatted(metadata.text("namespace").orElse(namespace))
        + "/"
        + metadata.text("name").orElseThrow();
  }

  private static RawApi.Reply apply(
      RawApi api, Value.Mapping object, String namespace, String options) {
    var path = path(object, namespace) + "?fieldManager=test&force=true" + options;
    return api.apply(path, CanonicalJson.write(object));
  }

  static String kind(Value.Mapping object) {
    return object.text("kind").orElse("");
  }
}
