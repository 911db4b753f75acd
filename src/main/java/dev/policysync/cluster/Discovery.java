package dev.policysync.cluster;

import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Value;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which of our kinds a cluster serves, in which versions: one request for all groups (aggregated
/// discovery, Kubernetes 1.27 and later).
final class Discovery {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  private final KubeApi api;

  Discovery(KubeApi api) {
    this.api = api;
  }

  /// What discovery says of one kind.
  sealed interface Found {
    /// Served; apply at this version.
    record Served(String version) implements Found {}

    /// Not served in a version that we know.
    record Missing(String reason) implements Found {}

    /// The API server itself does not know at present.
    record Uncertain(Failure failure) implements Found {}
  }

  Map<PolicyKind, Found> ask() {
    var answer = api.get(api.url(List.of("apis")).build(), AGGREGATED);
    if (!answer.ok()) {
      throw new ClusterUnavailable(Refusal.of("ask which kinds the cluster serves", answer));
    }
    if (!answer.body().text("kind").orElse("").equals("APIGroupDiscoveryList")) {
      throw new ClusterUnavailable(
          new Failure(
              Failure.Cause.SERVER_ERROR,
              "ask which kinds the cluster serves: no aggregated discovery; Kubernetes 1.27 or newer"
                  + " is needed"));
    }
    var groups = new LinkedHashMap<String, Value.Mapping>();
    for (var item : answer.body().items("items")) {
      if (item instanceof Value.Mapping group) {
        groups.put(group.mapping("metadata").text("name").orElse(""), group);
      }
    }
    var found = new EnumMap<PolicyKind, Found>(PolicyKind.class);
    for (var kind : PolicyKind.all()) {
      found.put(kind, find(kind, groups.getOrDefault(kind.group(), Value.Mapping.EMPTY)));
    }
    return found;
  }

  private static Found find(PolicyKind kind, Value.Mapping group) {
    var served = new LinkedHashMap<String, Value.Mapping>();
    for (var item : group.items("versions")) {
      if (!(item instanceof Value.Mapping version)) {
        continue;
      }
      if (version.text("freshness").orElse("Current").equals("Stale")) {
        return new Found.Uncertain(
            new Failure(
                Failure.Cause.OVERLOADED,
                "the API server has no current list of the kinds in " + kind.group()));
      }
      if (hasKind(version, kind)) {
        served.put(version.text("version").orElse(""), version);
      }
    }
    for (var version : kind.versions()) {
      if (served.containsKey(version)) {
        return new Found.Served(version);
      }
    }
    return new Found.Missing(
        served.isEmpty()
            ? "the cluster does not have the kind "
                + kind.qualified()
                + "; install its CRD (a newer Kyverno or Kubernetes), or take it out of the feed"
            : "the cluster serves "
                + kind.qualified()
                + " only as "
                + String.join(", ", served.keySet())
                + ", and this agent applies it as "
                + String.join(", ", kind.versions()));
  }

  private static boolean hasKind(Value.Mapping version, PolicyKind kind) {
    return version.items("resources").stream()
        .anyMatch(item ->
            item instanceof Value.Mapping resource
                && resource.text("resource").orElse("").equals(kind.plural())
                && resource.mapping("responseKind").text("kind").orElse("").equals(kind.kind()));
  }
}
