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

/// Asks a real cluster if its policies are executed, and by which Kyverno.
public final class ClusterExecution implements ExecutionSource {
  private final ClusterPolicies policies;
  private final KubeApi api;
  private final Clock clock;

  /// @param policies those that were listed over that connection
  public ClusterExecution(ClusterConnection connection, ClusterPolicies policies, Clock clock) {
    this.policies = policies;
    this.api = new KubeApi(connection);
    this.clock = clock;
  }

  /// Kyverno's reason may quote the policy, an expression that does not compile for one.
  @Override
  public Optional<NotReady> notReady(PolicyId id) {
    return policies
        .read(id)
        .flatMap(object ->
            NotReady.of(id.kind(), object)
                .map(notReady ->
                    new NotReady(Redaction.of(notReady.reason(), object), notReady.since())));
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
