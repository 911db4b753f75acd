package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Kyverno's admission controller according to its Deployment.
///
/// @param namespace such as `kyverno`
/// @param name `kyverno-admission-controller`, or `kyverno` up to version 1.9
/// @param version the image's tag, such as `v1.19.0`; the label `app.kubernetes.io/version` has the
///   version of Kyverno's chart instead
/// @param wanted the desired number of replicas
/// @param ready the number of ready replicas
public record KyvernoDeployment(
    String namespace, String name, Optional<String> version, int wanted, int ready) {
  private static final List<String> NAMESPACES = List.of("kyverno", "kyverno-system");

  private static final List<String> NAMES = List.of("kyverno-admission-controller", "kyverno");

  /// The label of the Deployment in Kyverno's chart, whatever its name (since Kyverno 1.10).
  private static final String LABEL = "app.kubernetes.io/component=admission-controller";

  /// The webhook configuration that Kyverno itself creates, under this name in every version. Its
  /// service is in Kyverno's namespace.
  private static final String WEBHOOK = "kyverno-policy-validating-webhook-cfg";

  public sealed interface Search {
    record Found(KyvernoDeployment deployment) implements Search {}

    /// The Deployment is neither in the usual namespaces nor in that of Kyverno's webhook.
    record Nowhere() implements Search {}

    /// One of the namespaces could not be read, and the Deployment is in none of the others.
    ///
    /// @param attempt such as `read Deployment kyverno/kyverno`
    record Refused(String attempt, ApiResponse apiResponse) implements Search {}
  }

  /// Finds the Deployment in the namespace of Kyverno's webhook, by its names and then by its
  /// label, and in the usual namespaces. A failed request does not end the search.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if there is no response
  public static Search find(KubeApi api) {
    var pointed = webhookNamespaces(api);
    var namespaces = new LinkedHashSet<>(pointed);
    namespaces.addAll(NAMESPACES);
    return find(api, pointed, namespaces);
  }

  /// Finds the Deployment that is in use: only in the namespace of Kyverno's webhook. This mostly
  /// takes two requests, and one if Kyverno is not installed.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if there is no response
  public static Search running(KubeApi api) {
    var pointed = webhookNamespaces(api);
    return find(api, pointed, pointed);
  }

  /// Returns whether Kyverno is or may be installed. It returns false only if neither Kyverno's
  /// Deployment nor its webhook exists, and both could be read.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if there is no response
  public static boolean mayBeInstalled(KubeApi api) {
    return !(find(api) instanceof Search.Nowhere) || webhook(api).status() != 404;
  }

  private static Search find(KubeApi api, List<String> pointed, Collection<String> namespaces) {
    Search result = new Search.Nowhere();
    for (var namespace : namespaces) {
      for (var name : NAMES) {
        var url = api.url(deployments(namespace, name));
        var apiResponse = api.get(url.build(), KubeApi.JSON);
        if (apiResponse.ok()) {
          return new Search.Found(of(namespace, apiResponse.body()));
        }
        result = refused(result, "read Deployment " + namespace + "/" + name, apiResponse);
      }
      if (pointed.contains(namespace)) {
        var url = api.url(deployments(namespace)).addQueryParameter("labelSelector", LABEL);
        var apiResponse = api.get(url.build(), KubeApi.JSON);
        var kyvernos = kyvernos(apiResponse.body());
        if (apiResponse.ok() && kyvernos.size() == 1) {
          return new Search.Found(of(namespace, kyvernos.getFirst()));
        }
        result = refused(result, "list Deployments in " + namespace, apiResponse);
      }
    }
    return result;
  }

  private static List<String> deployments(String namespace, String... name) {
    return Stream.concat(
            Stream.of("apis", "apps", "v1", "namespaces", namespace, "deployments"),
            Stream.of(name))
        .toList();
  }

  private static Search refused(Search before, String attempt, ApiResponse apiResponse) {
    return !apiResponse.ok() && apiResponse.status() != 404 && before instanceof Search.Nowhere
        ? new Search.Refused(attempt, apiResponse)
        : before;
  }

  /// Returns the namespaces of the services that Kyverno's own webhook calls; empty if the webhook
  /// configuration cannot be read.
  private static List<String> webhookNamespaces(KubeApi api) {
    var apiResponse = webhook(api);
    return apiResponse.ok()
        ? apiResponse.body().mappings("webhooks").stream()
            .map(webhook -> webhook.mapping("clientConfig").mapping("service").text("namespace"))
            .flatMap(Optional::stream)
            .distinct()
            .toList()
        : List.of();
  }

  private static ApiResponse webhook(KubeApi api) {
    var url =
        api.url(
            List.of(
                "apis",
                "admissionregistration.k8s.io",
                "v1",
                "validatingwebhookconfigurations",
                WEBHOOK));
    return api.get(url.build(), KubeApi.JSON);
  }

  /// Returns the labelled Deployments that run Kyverno: other projects have an admission
  /// controller, too.
  private static List<Value.Mapping> kyvernos(Value.Mapping list) {
    return list.mappings("items").stream().filter(item -> container(item).isPresent()).toList();
  }

  private static KyvernoDeployment of(String namespace, Value.Mapping deployment) {
    var spec = deployment.mapping("spec");
    return new KyvernoDeployment(
        namespace,
        deployment.mapping("metadata").text("name").orElse(""),
        container(deployment).flatMap(KyvernoDeployment::tag),
        number(spec, "replicas"),
        number(deployment.mapping("status"), "readyReplicas"));
  }

  /// Returns Kyverno's own container, by its name or its image's; a sidecar may come first.
  private static Optional<Value.Mapping> container(Value.Mapping deployment) {
    var containers =
        deployment.mapping("spec").mapping("template").mapping("spec").mappings("containers");
    return containers.stream()
        .filter(container -> container.text("name").orElse("").equals("kyverno"))
        .findFirst()
        .or(() ->
            containers.stream()
                .filter(container -> repository(container).endsWith("/kyverno"))
                .findFirst());
  }

  /// Returns `reg.kyverno.io/kyverno/kyverno` for
  /// `reg.kyverno.io/kyverno/kyverno:v1.19.0@sha256:…`.
  private static String repository(Value.Mapping container) {
    var image = untilDigest(container);
    return tag(container)
        .map(tag -> image.substring(0, image.length() - tag.length() - 1))
        .orElse(image);
  }

  /// Returns the image's tag, such as `v1.19.0`. A colon before the last slash belongs to a port.
  private static Optional<String> tag(Value.Mapping container) {
    var image = untilDigest(container);
    return image.lastIndexOf(':') > image.lastIndexOf('/')
        ? Optional.of(image.substring(image.lastIndexOf(':') + 1))
        : Optional.empty();
  }

  private static String untilDigest(Value.Mapping container) {
    return container.text("image").orElse("").split("@", 2)[0];
  }

  private static int number(Value.Mapping fields, String name) {
    return fields.fields().get(name) instanceof Value.Numeric(var literal)
            && literal.matches("\\d{1,6}")
        ? Integer.parseInt(literal)
        : 0;
  }
}
