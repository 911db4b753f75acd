package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.ForeignEdit;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.PolicyStoreContract;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The store's contract, on the real thing.
@RealCluster
class ClusterPoliciesIT extends PolicyStoreContract {
  private ClusterPolicies policies;
  private ClusterWriters others;
  private TestCluster cluster;

  @BeforeEach
  void listOnce(Sandbox sandbox) {
    cluster = sandbox.cluster();
    policies = new ClusterPolicies(cluster.connect(cluster.adminToken()));
    policies.list();
    others = new ClusterWriters(sandbox.admin());
  }

  /// A policy that is in sync would look altered, or one that is altered in sync.
  @Test
  void comparesNothingByAnswersThatItDidNotGet() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var drifted = new Action.Update(desiredPolicy, version(desiredPolicy), Action.Cause.DRIFTED);
    assertThat(policies.preview(drifted).changesNothing()).isTrue();

    for (var operation : List.of("CREATE", "UPDATE")) {
      try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY, "*")) {
        webhook.fails(operation);

        assertThatExceptionOfType(ClusterUnavailable.class)
            .as(operation)
            .isThrownBy(() -> policies.preview(drifted))
            .withMessageContaining("compare ClusterPolicy/require-team-label");
      }
    }
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY, "CREATE")) {
      webhook.denies(403, "no policy may have that name");

      assertThat(policies.preview(drifted).changesNothing()).isTrue();
    }
  }

  @Override
  protected PolicyStore store() {
    return policies;
  }

  @Override
  protected OtherWriters others() {
    return others;
  }
}
