package dev.policysync.remote.cluster.policy;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.KyvernoDeployment;
import dev.policysync.remote.cluster.KyvernoHealthLease;
import dev.policysync.remote.cluster.Redaction;
import dev.policysync.sync.analysis.ExecutionSource;
import java.time.Clock;
import java.util.Optional;

/// Reads from a real cluster whether Kyverno executes its policies, and which Kyverno version runs.
public final class ClusterExecution implements ExecutionSource {
  private final ClusterPolicies policies;
  private final KubeApi api;
  private final Clock clock;

  public ClusterExecution(ClusterConnection connection, ClusterPolicies policies, Clock clock) {
    this.policies = policies;
    this.api = new KubeApi(connection);
    this.clock = clock;
  }

  /// Redacts Kyverno's reason, because it may quote the policy, such as an expression that does not
  /// compile.
  @Override
  public Optional<NotReady> notReady(PolicyId id) {
    return policies
        .read(id)
        .flatMap(object ->
            NotReady.of(id.kind(), object)
                .map(notReady ->
                    new NotReady(Redaction.redact(notReady.reason(), object), notReady.since())));
  }

  @Override
  public Optional<KyvernoVersion> installed() {
    return KyvernoDeployment.running(api) instanceof KyvernoDeployment.Search.Found(var deployment)
        ? deployment.version().flatMap(KyvernoVersion::parse)
        : Optional.empty();
  }

  @Override
  public KyvernoHealth health() {
    return new KyvernoHealthLease(api, clock).read();
  }
}
