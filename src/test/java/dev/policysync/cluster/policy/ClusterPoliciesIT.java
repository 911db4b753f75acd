package dev.policysync.cluster.policy;

import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.PolicyStoreContract;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import org.junit.jupiter.api.BeforeEach;

/// The store's contract, on the real thing.
@RealCluster
class ClusterPoliciesIT extends PolicyStoreContract {
  private ClusterPolicies policies;
  private ClusterWriters others;

  @BeforeEach
  void listOnce(Sandbox sandbox) {
    var cluster = sandbox.cluster();
    policies = new ClusterPolicies(cluster.connect(cluster.adminToken()));
    policies.list();
    others = new ClusterWriters(sandbox.admin());
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
