package dev.policysync.statemachine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// One thing that happens in a play, drawn from a seed of its own: any part of a play can be played
/// again without the rest.
///
/// @param step a run, and before it what people do
/// @param deed which of the things that people do, from 1; 0 is the run
record StepMove(int step, int deed) {
  private static final int CALM_EVERY = 5;
  private static final int MOST_DEEDS = 8;

  /// A whole play.
  static List<StepMove> of(int steps, long seed) {
    var moves = new ArrayList<StepMove>();
    for (int step = 1; step <= steps; step++) {
      var run = new StepMove(step, 0);
      var deeds = run.random(seed).nextInt(MOST_DEEDS + 1);
      for (int deed = 1; deed <= deeds; deed++) {
        moves.add(new StepMove(step, deed));
      }
      moves.add(run);
    }
    return List.copyOf(moves);
  }

  /// What [#toString] has written: `3.1,3,17`.
  static List<StepMove> read(String moves) {
    return Stream.of(moves.split(",")).map(StepMove::readOne).toList();
  }

  private static StepMove readOne(String move) {
    var dot = move.indexOf('.');
    return dot < 0
        ? new StepMove(Integer.parseInt(move), 0)
        : new StepMove(
            Integer.parseInt(move.substring(0, dot)), Integer.parseInt(move.substring(dot + 1)));
  }

  void play(World world, long seed) {
    world.tell("-- " + this);
    var random = random(seed);
    if (deed > 0) {
      world.happens(ExternalAction.any(random), random);
      return;
    }
    var _ = random.nextInt(MOST_DEEDS + 1); // how many came before it
    var next =
        step % CALM_EVERY == 0
            ? new Step.CalmDown(RandomChoices.calm(random))
            : Step.any(world, random);
    next.play(world);
  }

  /// Neighbours are to draw nothing alike.
  private Random random(long seed) {
    return new Random((seed * 1_000_003 + step * 31L + deed) * 0x9E3779B97F4A7C15L);
  }

  @Override
  public String toString() {
    return deed == 0 ? Integer.toString(step) : step + "." + deed;
  }
}
