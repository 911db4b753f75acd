package dev.policysync.remote.cluster.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import dev.policysync.inspect.ClusterChecks;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import org.junit.jupiter.api.Test;

@RealCluster
class ClusterProbeIT {
  @Test
  void knowsTheApiServersVersionAndClock(Sandbox sandbox) {
    var probe = new AgentRole(sandbox).clusterProbe();

    assertThat(probe.server())
        .isInstanceOfSatisfying(
            ProbeResult.Got.class,
            got -> assertThat(got.value().toString()).contains("v1.36.", "ahead=Optional[PT"));
    assertThat(new ClusterChecks(probe).all().getFirst().run().ask())
        .extracting(CheckResult::status)
        .containsOnly(CheckStatus.OK);
  }
}
