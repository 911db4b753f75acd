package dev.policysync.statemachine;

import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Plays at random what can happen to a cluster, and holds the promises against every run.
///
/// The seed is printed, and the same each time, so that a failure tells of a change and not of
/// luck. Others find more: `-Dpolicysync.seed=…` plays another one, `-Dpolicysync.steps=…` and
/// `make torture` play longer. A play that fails is shrunk to few of its moves, which
/// `-Dpolicysync.moves=3.1,3,17` plays again; where two runs at once are among them, not always
/// with the same end.
@RealCluster
class StateMachineIT {
  @Test
  void keepsItsPromisesWhateverHappens(Sandbox sandbox) {
    var seed = Long.getLong("policysync.seed", 20_261_121);
    var steps = Integer.getInteger("policysync.steps", Rounds.of(100, 300));
    System.out.println("state machine: -Dpolicysync.seed=" + seed + " -Dpolicysync.steps=" + steps);
    var moves =
        Optional.ofNullable(System.getProperty("policysync.moves"))
            .map(StepMove::read)
            .orElseGet(() -> StepMove.of(steps, seed));
    var randomPlay = new RandomPlay(sandbox, seed);
    var found = randomPlay.of(moves);
    if (found.isPresent()) {
      System.out.println("state machine: broke in " + found.get().line());
      throw randomPlay.shrunk(found.get());
    }
  }
}
