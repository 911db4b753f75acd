package dev.policysync.remote.cluster.probe;

import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.inspect.PermissionDiagnostics;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks permissions by access reviews, which leave nothing behind.
public final class PermissionProbe implements PermissionDiagnostics {
  private static final int AT_ONCE = 8;

  private static final String REVIEWS = "authorization.k8s.io";

  /// The API groups of reports, and the version of each that is read.
  private static final Map<String, String> REPORTS =
      Map.of("wgpolicyk8s.io", "v1alpha2", "openreports.io", "v1alpha1");

  private final ProbeRequests requests;

  public PermissionProbe(ClusterConnection connection) {
    this.requests = new ProbeRequests(connection);
  }

  @Override
  public Map<Access, ProbeResult<Boolean>> allowed(List<Access> accesses) {
    return Parallel.map(accesses, AT_ONCE, "asking for permissions", this::review);
  }

  private ProbeResult<Boolean> review(Access access) {
    var attributes =
        Value.Mapping.EMPTY
            .with("verb", access.verb())
            .with("group", access.group())
            .with("resource", access.resource())
            .with("namespace", access.namespace())
            .with("name", access.name());
    var review =
        Value.Mapping.EMPTY
            .with("apiVersion", REVIEWS + "/v1")
            .with("kind", "SelfSubjectAccessReview")
            .with("spec", Value.Mapping.EMPTY.with("resourceAttributes", attributes));
    return requests.post(
        "create SelfSubjectAccessReview",
        requests.url(List.of("apis", REVIEWS, "v1", "selfsubjectaccessreviews")).build(),
        review,
        KubeApi.JSON,
        apiResponse ->
            new Value.Bool(true)
                .equals(apiResponse.body().mapping("status").fields().get("allowed")));
  }

  @Override
  public ProbeResult<Set<String>> reportGroups() {
    var served = new LinkedHashSet<String>();
    for (var group : REPORTS.entrySet()) {
      var path = List.of("apis", group.getKey(), group.getValue());
      ProbeResult<Boolean> probeResult =
          requests.get("read /" + String.join("/", path), path, _ -> Optional.of(true));
      switch (probeResult) {
        case ProbeResult.Got<Boolean> _ -> served.add(group.getKey());
        case ProbeResult.Absent<Boolean> _ -> {}
        case ProbeResult.Forbidden<Boolean>(var reason) -> {
          return new ProbeResult.Forbidden<>(reason);
        }
        case ProbeResult.Failed<Boolean>(var reason) -> {
          return new ProbeResult.Failed<>(reason);
        }
      }
    }
    return new ProbeResult.Got<>(served);
  }
}
