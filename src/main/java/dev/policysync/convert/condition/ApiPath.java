package dev.policysync.convert.condition;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Origin;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The path of an `apiCall`: `/apis/apps/v1/namespaces/{{request.namespace}}/deployments`. It leads
/// to one resource, or to all resources of a kind in a namespace or in the cluster.
///
/// @param function the CEL function that reads the same: `Get`, `List`
/// @param names the namespace, which may be empty, and the name of a single resource
record ApiPath(String apiVersion, String resource, String function, List<String> names) {
  private static final Pattern LITERAL = Pattern.compile("[a-z0-9][-a-z0-9.]*");
  private static final String NAMESPACES = "namespaces";

  /// Subresources of a Namespace, which look like resources in it.
  private static final Set<String> OF_NAMESPACE = Set.of("finalize", "status");

  /// The kinds of resources whose fields [Origin] knows.
  private static final Map<String, Set<String>> KINDS =
      Map.of(
          "v1/configmaps", Set.of("ConfigMap"),
          "v1/persistentvolumeclaims", Set.of("PersistentVolumeClaim"),
          "v1/pods", Set.of("Pod"),
          "v1/secrets", Set.of("Secret"),
          "v1/services", Set.of("Service"),
          "networking.k8s.io/v1/ingresses", Set.of("Ingress"),
          "policy/v1/poddisruptionbudgets", Set.of("PodDisruptionBudget"));

  ApiPath {
    names = List.copyOf(names);
  }

  /// Parses the `urlPath` of an `apiCall`.
  ///
  /// @throws Untranslatable if the path leads to anything but a resource or a list of resources
  static ApiPath of(Value.Mapping apiCall) {
    var path = apiCall.text("urlPath").orElse("");
    if (path.contains("?")) {
      throw refused(apiCall, "an apiCall with a query", "read all with resource.List() and filter");
    }
    var parts = new ArrayList<>(Arrays.asList(path.split("/(?![^{]*\\}\\})", -1)));
    if (parts.size() < 3 || !parts.removeFirst().isEmpty()) {
      throw unknown(apiCall);
    }
    var apiVersion =
        switch (parts.removeFirst()) {
          case "api" -> literal(parts, apiCall);
          case "apis" -> literal(parts, apiCall) + "/" + literal(parts, apiCall);
          default -> throw unknown(apiCall);
        };
    var namespace = "";
    if (parts.size() > 2 && parts.getFirst().equals(NAMESPACES)) {
      parts.removeFirst();
      namespace = parts.removeFirst();
    }
    var resource = literal(parts, apiCall);
    if (!namespace.isEmpty() && OF_NAMESPACE.contains(resource)) {
      throw unknown(apiCall);
    }
    return switch (parts.size()) {
      case 0 -> new ApiPath(apiVersion, resource, "List", List.of(namespace));
      case 1 -> new ApiPath(apiVersion, resource, "Get", List.of(namespace, parts.getFirst()));
      default -> throw unknown(apiCall);
    };
  }

  Origin origin() {
    var kind = KINDS.getOrDefault(apiVersion + "/" + resource, Set.of());
    return function.equals("List") ? Origin.ofList(kind) : Origin.of(kind);
  }

  private static String literal(List<String> parts, Value.Mapping apiCall) {
    if (parts.isEmpty() || !LITERAL.matcher(parts.getFirst()).matches()) {
      throw unknown(apiCall);
    }
    return parts.removeFirst();
  }

  private static Untranslatable unknown(Value.Mapping apiCall) {
    return refused(
        apiCall,
        "an apiCall of anything but a resource or a list of resources",
        "read it in CEL with resource.Get() or resource.List()");
  }

  private static Untranslatable refused(Value.Mapping apiCall, String construct, String advice) {
    return Untranslatable.field(apiCall, "urlPath", construct, advice);
  }
}
