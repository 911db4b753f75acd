package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.execution.WriteMode;
import java.util.List;
import java.util.Random;

/// All that is drawn.
final class RandomChoices {
  /// Few, so that they meet often.
  private static final List<String> NAMES = List.of("ant", "bee", "cat", "dog");

  private RandomChoices() {}

  static <T> T one(Random random, List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  static ObjectKey key(World world, Random random, ModelKind modelKind) {
    var namespace = modelKind.namespaced() ? one(random, world.namespaces()) : "";
    return new ObjectKey(modelKind, namespace, one(random, NAMES));
  }

  static ModelPolicy wanted(World world, Random random) {
    var modelKind = one(random, List.of(ModelKind.values()));
    return new ModelPolicy(key(world, random, modelKind), random.nextInt(ModelPolicy.FORMS));
  }

  /// A run with whatever may befall it.
  static RunConditions conditions(World world, Random random) {
    var runConditions =
        new RunConditions(
            random.nextInt(12) == 0 ? ObservedObject.ANOTHER_SOURCE : ObservedObject.SOURCE,
            random.nextInt(10) == 0 ? WriteMode.DRY_RUN : WriteMode.LIVE,
            adoption(random),
            allowance(random),
            1,
            answer(random),
            random.nextInt(7) > 0,
            new FaultInjection.None());
    return runConditions.with(trouble(world, random, runConditions));
  }

  private static FeedResponse answer(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> one(random, List.of(FeedResponse.values()));
      case 1 ->
          one(
              random,
              List.of(FeedResponse.values()).stream().filter(FeedResponse::breaksOff).toList());
      default -> FeedResponse.THE_FEED;
    };
  }

  /// A run that nothing befalls.
  static RunConditions calm(Random random) {
    return RunConditions.calm(adoption(random), allowance(random), 1 + random.nextInt(4));
  }

  private static Adoption adoption(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Adoption.ALWAYS;
      case 1 -> Adoption.IDENTICAL;
      default -> Adoption.NEVER;
    };
  }

  private static ExpectedRemovalBudget allowance(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> new ExpectedRemovalBudget(0, false);
      case 1 -> new ExpectedRemovalBudget(1, false);
      case 2, 3 -> new ExpectedRemovalBudget(50, true);
      case 4, 5, 6 -> new ExpectedRemovalBudget(100, true);
      default -> new ExpectedRemovalBudget(20, true);
    };
  }

  private static FaultInjection trouble(World world, Random random, RunConditions runConditions) {
    var at = 1 + random.nextInt(12);
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> killed(random);
      case 4 -> new FaultInjection.KilledAtStatus(1 + random.nextInt(3));
      case 5 -> new FaultInjection.Signalled(at);
      case 6, 7, 8, 9 -> new FaultInjection.Flaky(random.nextLong(), 3 + random.nextInt(20));
      case 10, 11 ->
          new FaultInjection.Unlistable(
              one(random, List.of(ModelKind.values())), one(random, List.of(403, 403, 500, 429)));
      case 12 -> new FaultInjection.WebhookDown();
      case 13, 14 -> meanwhile(world, random, at);
      case 15, 16 -> snatched(world, random);
      case 17, 18 -> frozen(world, random, at, runConditions);
      case 19, 20 -> overtaken(world, random, runConditions);
      default -> new FaultInjection.None();
    };
  }

  private static FaultInjection meanwhile(World world, Random random, int at) {
    var externalAction = ExternalAction.atTheCluster(random);
    var chance = new Random(random.nextLong());
    return new FaultInjection.Meanwhile(
        at, externalAction.toString(), () -> world.happens(externalAction, chance));
  }

  private static FaultInjection overtaken(World world, Random random, RunConditions runConditions) {
    if (runConditions.feedResponse() != FeedResponse.THE_FEED) {
      return new FaultInjection.None();
    }
    var externalAction = ExternalAction.ofTheFeed(random);
    var chance = new Random(random.nextLong());
    return new FaultInjection.Overtaken(
        externalAction.toString(),
        () -> world.whileOvertaken(externalAction, chance, runConditions));
  }

  private static FaultInjection snatched(World world, Random random) {
    var chance = new Random(random.nextLong());
    return new FaultInjection.Snatched(
        1 + random.nextInt(4), objectKey -> world.snatch(objectKey, chance));
  }

  private static FaultInjection frozen(
      World world, Random random, int at, RunConditions runConditions) {
    var its = runConditions.with(random.nextBoolean() ? new FaultInjection.None() : killed(random));
    return new FaultInjection.Frozen(
        at, its.faultInjection().toString(), () -> world.whileFrozen(its));
  }

  private static FaultInjection killed(Random random) {
    var at = 1 + random.nextInt(8);
    return random.nextBoolean()
        ? new FaultInjection.KilledBefore(at)
        : new FaultInjection.KilledAfter(at);
  }
}
