package dev.policysync.cluster;

import dev.policysync.plan.Failure;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.Value;
import java.util.LinkedHashMap;
import java.util.List;

/// Which kinds a cluster serves, in which versions: one request for all groups (aggregated
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
    /// Served; use it at this version.
    record Served(String version) implements Found {}

    /// Not served in a version that we know.
    record Missing(String reason) implements Found {}

    /// The API server itself does not know at present.
    record Uncertain(Failure failure) implements Found {}
  }

  ServedKinds ask() {
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
    return new ServedKinds(groups);
  }
}
