package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.Mode;
import java.util.List;
import java.util.Random;

/// All that is drawn.
final class Dice {
  /// Few, so that they meet often.
  private static final List<String> NAMES = List.of("ant", "bee", "cat", "dog");

  private Dice() {}

  static <T> T one(Random random, List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  static Key key(World world, Random random, Kind kind) {
    var namespace = kind.namespaced() ? one(random, world.namespaces()) : "";
    return new Key(kind, namespace, one(random, NAMES));
  }

  static Wanted wanted(World world, Random random) {
    var kind = one(random, List.of(Kind.values()));
    return new Wanted(key(world, random, kind), random.nextInt(Wanted.FORMS));
  }

  /// A run with whatever may befall it.
  static Conditions conditions(World world, Random random) {
    var conditions =
        new Conditions(
            random.nextInt(10) == 0 ? Mode.DRY_RUN : Mode.LIVE,
            adoption(random),
            allowance(random),
            1,
            answer(random),
            random.nextInt(7) > 0,
            new Trouble.None());
    return conditions.with(trouble(world, random, conditions));
  }

  private static Answer answer(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> one(random, List.of(Answer.values()));
      case 1 -> one(random, List.of(Answer.values()).stream().filter(Answer::breaksOff).toList());
      default -> Answer.THE_FEED;
    };
  }

  /// A run that nothing befalls.
  static Conditions calm(Random random) {
    return Conditions.calm(adoption(random), allowance(random), 1 + random.nextInt(4));
  }

  private static Adoption adoption(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Adoption.ALWAYS;
      case 1 -> Adoption.IDENTICAL;
      default -> Adoption.NEVER;
    };
  }

  private static Allowance allowance(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> new Allowance(0, false);
      case 1 -> new Allowance(1, false);
      case 2, 3 -> new Allowance(50, true);
      case 4, 5, 6 -> new Allowance(100, true);
      default -> new Allowance(20, true);
    };
  }

  private static Trouble trouble(World world, Random random, Conditions conditions) {
    var at = 1 + random.nextInt(12);
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> killed(random);
      case 4 -> new Trouble.KilledAtStatus(1 + random.nextInt(3));
      case 5 -> new Trouble.Signalled(at);
      case 6, 7, 8, 9 -> new Trouble.Flaky(random.nextLong(), 3 + random.nextInt(20));
      case 10, 11 ->
          new Trouble.Unlistable(
              one(random, List.of(Kind.values())), one(random, List.of(403, 403, 500, 429)));
      case 12 -> new Trouble.WebhookDown();
      case 13, 14 -> meanwhile(world, random, at);
      case 15, 16 -> snatched(world, random);
      case 17, 18 -> frozen(world, random, at, conditions);
      case 19, 20 -> overtaken(world, random, conditions);
      default -> new Trouble.None();
    };
  }

  private static Trouble meanwhile(World world, Random random, int at) {
    var deed = Deed.atTheCluster(random);
    var chance = new Random(random.nextLong());
    return new Trouble.Meanwhile(at, deed.toString(), () -> world.happens(deed, chance));
  }

  private static Trouble overtaken(World world, Random random, Conditions conditions) {
    if (conditions.answer() != Answer.THE_FEED) {
      return new Trouble.None();
    }
    var deed = Deed.ofTheFeed(random);
    var chance = new Random(random.nextLong());
    return new Trouble.Overtaken(
        deed.toString(), () -> world.whileOvertaken(deed, chance, conditions));
  }

  private static Trouble snatched(World world, Random random) {
    var chance = new Random(random.nextLong());
    return new Trouble.Snatched(1 + random.nextInt(4), key -> world.snatch(key, chance));
  }

  private static Trouble frozen(World world, Random random, int at, Conditions conditions) {
    var its = conditions.with(random.nextBoolean() ? new Trouble.None() : killed(random));
    return new Trouble.Frozen(at, its.trouble().toString(), () -> world.whileFrozen(its));
  }

  private static Trouble killed(Random random) {
    var at = 1 + random.nextInt(8);
    return random.nextBoolean() ? new Trouble.KilledBefore(at) : new Trouble.KilledAfter(at);
  }
}
