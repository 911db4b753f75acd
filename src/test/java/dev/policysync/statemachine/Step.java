package dev.policysync.statemachine;

import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/// One step of the play: something is run, and the promises are held against it.
sealed interface Step {
  /// The schedule of the CronJob.
  Duration BETWEEN_RUNS = Duration.ofMinutes(5);

  /// After which no removal counts any more.
  Duration A_DAY = Duration.ofHours(26);

  void play(World world);

  /// The next one, drawn after what people did meanwhile.
  static Step any(World world, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> new Preview(RandomChoices.calm(random));
      case 1 -> new TwoAtOnce(RandomChoices.calm(random));
      default -> {
        // The more there is to remove, the more can go wrong.
        if (random.nextInt(3) == 0) {
          world.happens(ExternalAction.REMOVES, random);
        }
        yield new Run(
            random.nextInt(3) == 0 ? A_DAY : BETWEEN_RUNS, RandomChoices.conditions(world, random));
      }
    };
  }

  /// A run with whatever befalls it.
  ///
  /// @param after how long after the one before
  record Run(Duration after, RunConditions runConditions) implements Step {
    @Override
    public void play(World world) {
      judged(world, after, List.of(runConditions));
    }
  }

  /// A dry run, and then the real one: they come to the same (promise 11).
  record Preview(RunConditions runConditions) implements Step {
    @Override
    public void play(World world) {
      var preview = judged(world, List.of(runConditions.in(WriteMode.DRY_RUN)));
      var real = judged(world, Duration.ZERO, List.of(runConditions));
      RunInvariants.require(
          outcome(preview).equals(outcome(real)),
          "a dry run tells what the real run does",
          "dry: " + preview.runs() + ", real: " + real.runs());
    }

    private static List<Object> outcome(Episode episode) {
      return episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)
          ? List.of(
              summary.status(),
              summary.writes().applied(),
              summary.writes().updated(),
              summary.writes().removed(),
              summary.writes().failed(),
              summary.pending().withheldNotes(),
              summary.untouched().conflicts(),
              summary.writes().notAttempted(),
              summary.pending().waiting())
          : List.of();
    }
  }

  /// Two runs at the same moment, as when a person starts one beside the schedule.
  record TwoAtOnce(RunConditions runConditions) implements Step {
    @Override
    public void play(World world) {
      judged(world, List.of(runConditions, runConditions));
    }
  }

  /// Everybody leaves the cluster alone and nothing fails: one run brings it in sync, and the next
  /// one finds nothing to do.
  record CalmDown(RunConditions runConditions) implements Step {
    @Override
    public void play(World world) {
      world.tell("calms down");
      world.publish(world.feed().mended());
      new ClusterUsers(world, new Random(0)).removeAllFinalizers();
      world.startKyverno();
      var first = patiently(world, runConditions);
      new UndisturbedRunInvariants(first, world).hold();
      if (first.approval().isPresent() && !first.gone().isEmpty()) {
        // What was approved, too, but stays for what it serves is asked for anew, which is noted.
        judged(world, List.of(runConditions));
      }
      var memory = world.lease().memory();
      var log = world.auditLog();
      var second = judged(world, List.of(runConditions));
      RunInvariants.require(
          log.writes().isEmpty() && !second.runs().getFirst().wrote(),
          "a second run writes nothing",
          log.writes() + "\n  before: " + memory + "\n  after:  " + world.lease().memory());
      RunInvariants.require(second.told().isEmpty(), "a second run reports nothing", second.told());
    }
  }

  /// An older feed that people went back to is written once it has stayed for a while. A policy
  /// that begins to block comes a run after its exception, what it replaces goes a run later, and
  /// the exception of that one another run later.
  private static Episode patiently(World world, RunConditions runConditions) {
    var episode = judged(world, List.of(runConditions));
    for (int more = 0; more < 2 && heldBackForAge(episode); more++) {
      episode = judged(world, List.of(runConditions));
    }
    for (int more = 0; more < 3 && waits(episode); more++) {
      episode = judged(world, List.of(runConditions));
    }
    return episode;
  }

  private static boolean waits(Episode episode) {
    return episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)
        && !summary.pending().waiting().isEmpty();
  }

  private static boolean heldBackForAge(Episode episode) {
    return episode.runs().getFirst().runEnd() instanceof RunEnd.Said(var summary)
        && summary.pending().withheldNotes().stream()
            .anyMatch(note -> note.reason().startsWith("the feed is older"));
  }

  private static Episode judged(World world, List<RunConditions> conditions) {
    return judged(world, BETWEEN_RUNS, conditions);
  }

  private static Episode judged(World world, Duration before, List<RunConditions> conditions) {
    var episode = world.play(before, conditions);
    var runInvariants = new RunInvariants(episode, world.books(), world.oracle());
    runInvariants.hold();
    world
        .books()
        .note(episode, runInvariants.approved(), new DependencyModel(episode, world.oracle()));
    return episode;
  }
}
