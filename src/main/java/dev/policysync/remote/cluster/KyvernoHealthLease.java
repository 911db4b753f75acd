package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Reads the Lease [KyvernoHealth#LEASE], in any namespace, with one request for all Leases of that
/// name. A rule with `resourceNames` allows this request, because it selects by `metadata.name`
/// (Kubernetes, "Using RBAC Authorization", on resourceNames and list).
public final class KyvernoHealthLease {
  private static final String ATTEMPT =
      "list leases.coordination.k8s.io " + KyvernoHealth.LEASE + " in all namespaces";

  private final KubeApi api;
  private final Clock clock;

  public KyvernoHealthLease(KubeApi api, Clock clock) {
    this.api = api;
    this.clock = clock;
  }

  /// Returns Kyverno's health by the newest of these Leases, and by the API server's clock.
  public KyvernoHealth read() {
    try {
      var url = api.url(List.of("apis", "coordination.k8s.io", "v1", "leases"));
      url.addQueryParameter("fieldSelector", "metadata.name=" + KyvernoHealth.LEASE);
      var answer = api.get(url.build(), KubeApi.JSON);
      return answer.ok()
          ? health(answer)
          : new KyvernoHealth.Unknown(ApiErrorClassifier.classify(ATTEMPT, answer).reason());
    } catch (ClusterUnavailable e) {
      return new KyvernoHealth.Unknown(e.failure().reason());
    }
  }

  private KyvernoHealth health(ApiResponse answer) {
    var now = answer.time().orElseGet(clock::instant);
    return answer.body().mappings("items").stream()
        .map(item -> item.mapping("metadata"))
        .max(Comparator.comparing(metadata -> lastRequest(metadata).orElse(Instant.MIN)))
        .map(metadata ->
            KyvernoHealth.of(metadata.text("namespace").orElse(""), lastRequest(metadata), now))
        .orElseGet(KyvernoHealth::withoutLease);
  }

  private static Optional<Instant> lastRequest(Value.Mapping metadata) {
    try {
      return metadata.mapping("annotations").text(KyvernoHealth.LAST_REQUEST).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
