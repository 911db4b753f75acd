package dev.policysync.statemachine;

import java.util.List;
import java.util.Random;

/// Those who decide what the remote API expects.
final class Authors {
  private static final int MOST = 18;
  private static final List<String> NO_POLICIES =
      List.of(
          "apiVersion: kyverno.io/v1\nmetadata:\n  name: kindless\nspec: {}\n",
          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\n",
          "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata:\n  name: broken\nspec: {rules: [\n",
          "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {}\nspec: {rules: []}\n",
          "just a text\n");

  private final World world;
  private final Random random;

  Authors(World world, Random random) {
    this.world = world;
    this.random = random;
  }

  String add() {
    var feed = world.feed();
    for (int i = 0; i <= random.nextInt(4) && feed.documents().size() < MOST; i++) {
      var wanted = Dice.wanted(world, random);
      if (!feed.expected().containsKey(wanted.key())) {
        feed = feed.with(wanted);
      }
    }
    return publish(feed);
  }

  /// A part comes or goes, or all is other than it was.
  String change() {
    var feed = world.feed();
    for (int i = 0; i <= random.nextInt(3) && !feed.documents().isEmpty(); i++) {
      var wanted = Dice.one(random, feed.documents());
      var form =
          random.nextBoolean()
              ? wanted.form() ^ 1 << random.nextInt(7)
              : random.nextInt(Wanted.FORMS);
      feed = feed.replacing(wanted, wanted.withForm(form));
    }
    return publish(feed);
  }

  String remove() {
    var feed = world.feed();
    for (int i = 0; i <= random.nextInt(2) && !feed.documents().isEmpty(); i++) {
      feed = feed.without(Dice.one(random, feed.documents()));
    }
    return publish(feed);
  }

  String removeHalf() {
    var feed = world.feed();
    for (var wanted : feed.documents()) {
      if (random.nextBoolean()) {
        feed = feed.without(wanted);
      }
    }
    return publish(feed);
  }

  /// The same name under another kind, or in another namespace, now and then as what the API server
  /// refuses.
  String move() {
    var feed = world.feed();
    if (feed.documents().isEmpty()) {
      return publish(feed);
    }
    var wanted = Dice.one(random, feed.documents());
    var place = Dice.key(world, random, Dice.one(random, List.of(Kind.values())));
    var moved = new Key(place.kind(), place.namespace(), wanted.key().name());
    return publish(
        feed.expected().containsKey(moved)
            ? feed
            : feed.replacing(wanted, new Wanted(moved, wanted.form(), random.nextInt(4) == 0)));
  }

  /// The same name in another namespace or under another kind, beside the one that has it.
  String twin() {
    var feed = world.feed();
    if (feed.documents().isEmpty() || feed.documents().size() >= MOST) {
      return publish(feed);
    }
    var key = Dice.one(random, feed.documents()).key();
    var kind = random.nextBoolean() ? key.kind() : Dice.one(random, List.of(Kind.values()));
    var namespace = Dice.key(world, random, kind).namespace();
    var twin = new Wanted(new Key(kind, namespace, key.name()), random.nextInt(Wanted.FORMS));
    return publish(feed.expected().containsKey(twin.key()) ? feed : feed.with(twin));
  }

  String replaceAll() {
    var feed = Feed.EMPTY;
    for (int i = 0; i < 3 + random.nextInt(6); i++) {
      var wanted = Dice.wanted(world, random);
      feed = feed.expected().containsKey(wanted.key()) ? feed : feed.with(wanted);
    }
    return publish(feed);
  }

  String empty() {
    return publish(Feed.EMPTY);
  }

  String restore() {
    return publish(world.lastGood());
  }

  /// A document that nobody can read, or two of one policy.
  String spoil() {
    var feed = world.feed();
    if (feed.documents().isEmpty() || random.nextInt(3) > 0) {
      return publish(feed.withSpoilt(Dice.one(random, NO_POLICIES)));
    }
    var wanted = Dice.one(random, feed.documents());
    return publish(
        random.nextBoolean()
            ? feed.with(wanted.withForm(random.nextInt(Wanted.FORMS)))
            : feed.without(wanted).withSpoilt(wanted.yaml() + "  oops: [\n"));
  }

  /// A document that everybody can read and the API server refuses.
  String flaw() {
    var feed = world.feed();
    if (feed.documents().isEmpty() || random.nextBoolean()) {
      var key = Dice.key(world, random, Kind.POLICY);
      return publish(feed.with(new Wanted(new Key(key.kind(), Wanted.NOWHERE, key.name()), 0)));
    }
    var wanted = Dice.one(random, feed.documents());
    return publish(feed.replacing(wanted, new Wanted(wanted.key(), wanted.form(), true)));
  }

  String mend() {
    return publish(world.feed().mended());
  }

  private String publish(Feed feed) {
    world.publish(feed);
    return feed.toString();
  }
}
