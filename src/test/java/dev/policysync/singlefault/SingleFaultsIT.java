package dev.policysync.singlefault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The scenarios of [SingleFaultsTest] on a real API server, where each HTTP request of the agent's
/// own adapters may meet a fault. Every build plays one of two kinds a scenario, which take turns,
/// drawn by a seed that is the same each time: `-Dpolicysync.fault.seed=…` draws others. `make
/// torture` plays all that [FaultPlay#essential] says.
///
/// `-Dpolicysync.fault=moves:137` plays one alone; its number is another one than in memory.
@RealCluster
class SingleFaultsIT {
  @AfterEach
  void leaveNothing(Sandbox sandbox) {
    ClusterWorld.empty(sandbox);
  }

  @Test
  void breakNoPromise(Sandbox sandbox) {
    var seed = Long.getLong("policysync.fault.seed", 20_261_122);
    System.out.println("single faults on a real API server: -Dpolicysync.fault.seed=" + seed);
    var random = new Random(seed);
    var counts = new ArrayList<FaultCounts>();
    for (var scenario : Scenarios.all().stream().filter(FaultCounts::concern).toList()) {
      var play = new FaultPlay(scenario, ClusterWorld.of(scenario, sandbox));
      assertThat(play.does()).as(scenario.name()).isEqualTo(scenario.does());
      counts.add(
          Rounds.isTorture()
              ? FaultCounts.essential(play)
              : FaultCounts.sample(play, random, counts.size()));
      System.out.println(counts.getLast());
    }

    System.out.println(FaultCounts.table(counts));
    var all = FaultCounts.total(counts);
    assertThat(all.broken()).isEmpty();
    assertThat(all.runs()).isPositive();
  }
}
