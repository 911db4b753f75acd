package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.LinkedHashMap;
import java.util.List;

/// Discovers which kinds a cluster serves, in which versions, with one request for all groups
/// (aggregated discovery, Kubernetes 1.27 and later).
public final class Discovery {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  private final KubeApi api;

  public Discovery(KubeApi api) {
    this.api = api;
  }

  public sealed interface Found {
    record Served(String version) implements Found {}

    /// The kind is not served in a version that policy-sync knows.
    record Missing(String reason) implements Found {}

    /// The API server does not know at present whether it serves the kind.
    record Uncertain(Failure failure) implements Found {}
  }

  public ServedKinds discover() {
    var apiResponse = api.get(api.url(List.of("apis")).build(), AGGREGATED);
    if (!apiResponse.ok()) {
      throw new ClusterUnavailable(
          ApiErrorClassifier.classify("discover the served kinds", apiResponse));
    }
    if (!apiResponse.body().text("kind").orElse("").equals("APIGroupDiscoveryList")) {
      throw new ClusterUnavailable(
          new Failure(
              Failure.Cause.SERVER_ERROR,
              "discover the served kinds: the API server has no aggregated discovery; Kubernetes"
                  + " 1.27 or newer is required"));
    }
    var groups = new LinkedHashMap<String, Value.Mapping>();
    for (var item : apiResponse.body().items("items")) {
      if (item instanceof Value.Mapping group) {
        groups.put(group.mapping("metadata").text("name").orElse(""), group);
      }
    }
    return new ServedKinds(groups);
  }
}
