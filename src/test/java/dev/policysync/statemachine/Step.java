package dev.policysync.statemachine;

import dev.policysync.sync.Mode;
import java.util.List;
import java.util.Random;

/// One step of the play: something is run, and the promises are held against it.
sealed interface Step {
  void play(World world);

  /// The next one, drawn after what people did meanwhile.
  static Step any(World world, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> new Preview(Dice.calm(random));
      case 1 -> new TwoAtOnce(Dice.calm(random));
      default -> new Run(Dice.conditions(world, random));
    };
  }

  /// A run with whatever befalls it.
  record Run(Conditions conditions) implements Step {
    @Override
    public void play(World world) {
      judged(world, List.of(conditions));
    }
  }

  /// A dry run, and then the real one: they come to the same (promise 11).
  record Preview(Conditions conditions) implements Step {
    @Override
    public void play(World world) {
      var preview = judged(world, List.of(conditions.in(Mode.DRY_RUN)));
      var real = judged(world, List.of(conditions));
      Promises.require(
          outcome(preview).equals(outcome(real)),
          "a dry run tells what the real run does",
          "dry: " + preview.runs() + ", real: " + real.runs());
    }

    private static List<Object> outcome(Episode episode) {
      return episode.runs().getFirst().ended() instanceof Ended.Said(var summary)
          ? List.of(
              summary.ending(),
              summary.applied(),
              summary.updated(),
              summary.removed(),
              summary.failed(),
              summary.withheld(),
              summary.conflicts(),
              summary.notAttempted())
          : List.of();
    }
  }

  /// Two runs at the same moment, as when a person starts one beside the schedule.
  record TwoAtOnce(Conditions conditions) implements Step {
    @Override
    public void play(World world) {
      judged(world, List.of(conditions, conditions));
    }
  }

  /// Everybody leaves the cluster alone and nothing fails: one run brings it in sync, and the next
  /// one finds nothing to do.
  record CalmDown(Conditions conditions) implements Step {
    @Override
    public void play(World world) {
      world.tell("calms down");
      world.publish(world.feed().mended());
      new People(world, new Random(0)).finishAllDeletions();
      var first = judged(world, List.of(conditions));
      new Calm(first, world).hold();
      var log = world.auditLog();
      var second = judged(world, List.of(conditions));
      Promises.require(
          log.writes().isEmpty() && !second.runs().getFirst().wrote(),
          "a second run writes nothing",
          log.writes());
      Promises.require(second.told().isEmpty(), "a second run reports nothing", second.told());
    }
  }

  private static Episode judged(World world, List<Conditions> conditions) {
    var episode = world.play(conditions);
    new Promises(episode, world.books(), world.oracle()).hold();
    world.books().note(episode);
    return episode;
  }
}
