package dev.policysync.realkyverno;

import dev.policysync.endtoend.MigrationIT;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.RealKyverno;
import org.junit.jupiter.api.BeforeEach;

/// All of a migration once more, where Kyverno itself writes the status that costs a policy its
/// managed fields, and judges what repairs them.
@RealKyverno
class MigrationWithKyvernoIT extends MigrationIT {
  @BeforeEach
  void meet(Kyverno kyverno) {
    kyverno.start();
  }

  @Override
  protected void writeStatus(String name) {
    var id = PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
    Readiness.await(cluster.admin(), id);
  }
}
