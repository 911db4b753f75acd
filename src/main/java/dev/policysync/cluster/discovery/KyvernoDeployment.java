package dev.policysync.cluster.discovery;

import dev.policysync.cluster.error.ApiResponse;
import dev.policysync.cluster.request.KubeApi;
import dev.policysync.json.Value;
import java.util.List;
import java.util.Optional;

/// Kyverno's admission controller as its Deployment describes it.
///
/// @param namespace `kyverno`
/// @param name `kyverno-admission-controller`, or `kyverno` up to version 1.9
/// @param version `v1.19.0`: its image's tag, else the Deployment's version label
/// @param wanted replicas
/// @param ready replicas
public record KyvernoDeployment(
    String namespace, String name, Optional<String> version, int wanted, int ready) {
  /// Where charts and manifests put it unless somebody says otherwise.
  private static final List<String> NAMESPACES = List.of("kyverno", "kyverno-system");

  private static final List<String> NAMES = List.of("kyverno-admission-controller", "kyverno");

  /// What came of looking for it.
  public sealed interface Search {
    record Found(KyvernoDeployment deployment) implements Search {}

    /// It is in none of the usual places.
    record Nowhere() implements Search {}

    /// One of them could not be read, and it is in none of the others.
    ///
    /// @param attempt `read Deployment kyverno/kyverno`
    record Refused(String attempt, ApiResponse apiResponse) implements Search {}
  }

  /// Looks for it in the usual places.
  ///
  /// @throws dev.policysync.sync.ClusterUnavailable if there is no answer
  public static Search find(KubeApi api) {
    Search result = new Search.Nowhere();
    for (var namespace : NAMESPACES) {
      for (var name : NAMES) {
        var url =
            api.url(List.of("apis", "apps", "v1", "namespaces", namespace, "deployments", name));
        var apiResponse = api.get(url.build(), KubeApi.JSON);
        if (apiResponse.ok()) {
          return new Search.Found(of(namespace, name, apiResponse.body()));
        }
        if (apiResponse.status() != 404 && result instanceof Search.Nowhere) {
          result = new Search.Refused("read Deployment " + namespace + "/" + name, apiResponse);
        }
      }
    }
    return result;
  }

  private static KyvernoDeployment of(String namespace, String name, Value.Mapping deployment) {
    var spec = deployment.mapping("spec");
    return new KyvernoDeployment(
        namespace,
        name,
        tag(spec.mapping("template").mapping("spec").mappings("containers"))
            .or(() ->
                deployment.mapping("metadata").mapping("labels").text("app.kubernetes.io/version")),
        number(spec, "replicas"),
        number(deployment.mapping("status"), "readyReplicas"));
  }

  /// Of `reg.kyverno.io/kyverno/kyverno:v1.19.0@sha256:…` the `v1.19.0`, from the container
  /// `kyverno`, else the first. A colon before the last slash is a port's.
  private static Optional<String> tag(List<Value.Mapping> containers) {
    return containers.stream()
        .filter(container -> container.text("name").orElse("").equals("kyverno"))
        .findFirst()
        .or(() -> containers.stream().findFirst())
        .flatMap(container -> container.text("image"))
        .map(image -> image.split("@", 2)[0])
        .filter(image -> image.lastIndexOf(':') > image.lastIndexOf('/'))
        .map(image -> image.substring(image.lastIndexOf(':') + 1));
  }

  private static int number(Value.Mapping fields, String name) {
    return fields.fields().get(name) instanceof Value.Numeric(var literal)
            && literal.matches("\\d{1,6}")
        ? Integer.parseInt(literal)
        : 0;
  }
}
