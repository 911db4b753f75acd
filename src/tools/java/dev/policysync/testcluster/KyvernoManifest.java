package dev.policysync.testcluster;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Kyverno's own manifest: its namespace, settings, accounts, rights, services and deployments, of
/// which a cluster without nodes makes no pods. Its custom resources are installed already.
final class KyvernoManifest {
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\w+)$");

  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";
  private static final String CLUSTER_ROLES = ROLES + "clusterroles";

  /// Where objects of a kind are.
  private static final Map<String, String> PLACES =
      Map.of(
          "Namespace", "/api/v1/namespaces",
          "ServiceAccount", "/api/v1/namespaces/kyverno/serviceaccounts",
          "ConfigMap", "/api/v1/namespaces/kyverno/configmaps",
          "Service", "/api/v1/namespaces/kyverno/services",
          "ClusterRole", CLUSTER_ROLES,
          "ClusterRoleBinding", ROLES + "clusterrolebindings",
          "Role", ROLES + "namespaces/kyverno/roles",
          "RoleBinding", ROLES + "namespaces/kyverno/rolebindings",
          "Deployment", "/apis/apps/v1/namespaces/kyverno/deployments");

  /// By where they belong, in the manifest's order.
  private final List<Map.Entry<String, Value.Mapping>> objects = new ArrayList<>();

  private KyvernoManifest() {}

  /// Reads the files, as if they were one.
  static KyvernoManifest read(Path... files) throws IOException {
    var manifest = new KyvernoManifest();
    for (var file : files) {
      for (var text : Files.readString(file).split("\n---\n", -1)) {
        manifest.add(text);
      }
    }
    return manifest;
  }

  private void add(String text) {
    var kind = KIND.matcher(text);
    var place = kind.find() ? PLACES.get(kind.group(1)) : null;
    if (place != null) {
      var object = Documents.yaml(text);
      objects.add(Map.entry(place + "/" + name(object), object));
    }
  }

  /// Puts everything in place, as `kubectl apply --server-side` would.
  void install(RawApi admin) {
    for (var object : objects) {
      var place = object.getKey() + "?fieldManager=kyverno-install&force=true";
      admin.apply(place, CanonicalJson.write(object.getValue())).ok();
    }
    aggregateRoles(admin);
  }

  /// What a controller's container is given.
  ///
  /// @param arguments `--metricsPort=8000`
  /// @param environment without what the kubelet would fill in
  record Container(List<String> arguments, Map<String, String> environment) {}

  /// The first container of that deployment.
  Container container(String deployment) {
    return objects.stream()
        .filter(object -> object.getKey().endsWith("/deployments/" + deployment))
        .map(object -> object.getValue().mapping("spec").mapping("template").mapping("spec"))
        .map(pod -> container((Value.Mapping) pod.items("containers").getFirst()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Deployment " + deployment));
  }

  private static Container container(Value.Mapping container) {
    var arguments =
        container.items("args").stream().map(argument -> ((Value.Text) argument).text()).toList();
    var environment = new LinkedHashMap<String, String>();
    for (var item : container.items("env")) {
      var variable = (Value.Mapping) item;
      variable
          .text("value")
          .ifPresent(value -> environment.put(variable.text("name").orElseThrow(), value));
    }
    return new Container(arguments, environment);
  }

  /// Gives aggregating ClusterRoles their rules, which a controller of Kubernetes would do. One
  /// that aggregates another that aggregates gets nothing of that; none of Kyverno's does.
  private static void aggregateRoles(RawApi admin) {
    var roles =
        admin.get(CLUSTER_ROLES).ok().items("items").stream()
            .map(Value.Mapping.class::cast)
            .toList();
    for (var role : roles) {
      var selectors = role.mapping("aggregationRule").items("clusterRoleSelectors");
      if (selectors.isEmpty()) {
        continue;
      }
      var rules = new ArrayList<Value>();
      for (var other : roles) {
        if (!other.equals(role) && selectors.stream().anyMatch(labels -> selects(labels, other))) {
          rules.addAll(other.items("rules"));
        }
      }
      var patch = new Value.Mapping(Map.of("rules", new Value.Sequence(rules)));
      admin.merge(CLUSTER_ROLES + "/" + name(role), patch).ok();
    }
  }

  private static boolean selects(Value selector, Value.Mapping role) {
    var labels = role.mapping("metadata").mapping("labels");
    return ((Value.Mapping) selector)
        .mapping("matchLabels").fields().entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.fields().get(wanted.getKey())));
  }

  private static String name(Value.Mapping object) {
    return object.mapping("metadata").text("name").orElseThrow();
  }
}
