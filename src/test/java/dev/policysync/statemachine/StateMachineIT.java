package dev.policysync.statemachine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Plays at random what can happen to a cluster, and holds the promises against every run.
///
/// The seed is printed, and the same each time, so that a failure tells of a change and not of
/// luck. Others find more: `-Dpolicysync.seed=…` plays another one, `-Dpolicysync.steps=…` and
/// `make torture` play longer.
@RealCluster
class StateMachineIT {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.policysync");
  private static final int CALM_EVERY = 5;
  private static final int STORY = 60;

  private World world;

  @BeforeEach
  void begin(Sandbox sandbox) {
    LOG.setLevel(Level.OFF); // thousands of failures, all of them meant
    world = new World(sandbox);
  }

  @AfterEach
  void end() {
    world.close();
    LOG.setLevel(null);
  }

  @Test
  void keepsItsPromisesWhateverHappens() {
    var seed = Long.getLong("policysync.seed", 20_261_121);
    var steps = Integer.getInteger("policysync.steps", Rounds.of(100, 300));
    System.out.println("state machine: -Dpolicysync.seed=" + seed + " -Dpolicysync.steps=" + steps);
    for (int step = 1; step <= steps; step++) {
      try {
        play(step, new Random(seed * 1_000_003 + step));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed %d, step %d: %s%n%s%n"
                .formatted(seed, step, e.getMessage(), String.join("\n", world.story(STORY))),
            e);
      }
    }
  }

  private void play(int step, Random random) {
    world.tell("-- step " + step);
    for (int deeds = random.nextInt(4); deeds > 0; deeds--) {
      world.happens(Deed.any(random), random);
    }
    var next =
        step % CALM_EVERY == 0 ? new Step.CalmDown(Dice.calm(random)) : Step.any(world, random);
    next.play(world);
  }
}
