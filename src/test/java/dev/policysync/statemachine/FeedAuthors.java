package dev.policysync.statemachine;

import java.util.List;
import java.util.Random;

/// Those who decide what the remote API expects.
final class FeedAuthors {
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

  FeedAuthors(World world, Random random) {
    this.world = world;
    this.random = random;
  }

  String add() {
    var modelFeed = world.feed();
    for (int i = 0; i <= random.nextInt(4) && modelFeed.documents().size() < MOST; i++) {
      var modelPolicy = RandomChoices.wanted(world, random);
      if (!modelFeed.expected().containsKey(modelPolicy.objectKey())) {
        modelFeed = modelFeed.with(modelPolicy);
      }
    }
    return publish(modelFeed);
  }

  /// A part comes or goes, or all is other than it was.
  String change() {
    var modelFeed = world.feed();
    for (int i = 0; i <= random.nextInt(3) && !modelFeed.documents().isEmpty(); i++) {
      var modelPolicy = RandomChoices.one(random, modelFeed.documents());
      var form =
          random.nextBoolean()
              ? modelPolicy.form() ^ 1 << random.nextInt(7)
              : random.nextInt(ModelPolicy.FORMS);
      modelFeed = modelFeed.replacing(modelPolicy, modelPolicy.withForm(form));
    }
    return publish(modelFeed);
  }

  String remove() {
    var modelFeed = world.feed();
    for (int i = 0; i <= random.nextInt(2) && !modelFeed.documents().isEmpty(); i++) {
      modelFeed = modelFeed.without(RandomChoices.one(random, modelFeed.documents()));
    }
    return publish(modelFeed);
  }

  String removeHalf() {
    var modelFeed = world.feed();
    for (var modelPolicy : modelFeed.documents()) {
      if (random.nextBoolean()) {
        modelFeed = modelFeed.without(modelPolicy);
      }
    }
    return publish(modelFeed);
  }

  /// The same name under another kind, or in another namespace, now and then as what the API server
  /// refuses.
  String move() {
    var modelFeed = world.feed();
    if (modelFeed.documents().isEmpty()) {
      return publish(modelFeed);
    }
    var modelPolicy = RandomChoices.one(random, modelFeed.documents());
    var place =
        RandomChoices.key(world, random, RandomChoices.one(random, List.of(ModelKind.values())));
    var moved = new ObjectKey(place.modelKind(), place.namespace(), modelPolicy.objectKey().name());
    return publish(
        modelFeed.expected().containsKey(moved)
            ? modelFeed
            : modelFeed.replacing(
                modelPolicy, new ModelPolicy(moved, modelPolicy.form(), random.nextInt(4) == 0)));
  }

  /// The same name in another namespace or under another kind, beside the one that has it.
  String twin() {
    var modelFeed = world.feed();
    if (modelFeed.documents().isEmpty() || modelFeed.documents().size() >= MOST) {
      return publish(modelFeed);
    }
    var objectKey = RandomChoices.one(random, modelFeed.documents()).objectKey();
    var modelKind =
        random.nextBoolean()
            ? objectKey.modelKind()
            : RandomChoices.one(random, List.of(ModelKind.values()));
    var namespace = RandomChoices.key(world, random, modelKind).namespace();
    var twin =
        new ModelPolicy(
            new ObjectKey(modelKind, namespace, objectKey.name()),
            random.nextInt(ModelPolicy.FORMS));
    return publish(
        modelFeed.expected().containsKey(twin.objectKey()) ? modelFeed : modelFeed.with(twin));
  }

  String replaceAll() {
    var modelFeed = ModelFeed.EMPTY;
    for (int i = 0; i < 3 + random.nextInt(6); i++) {
      var modelPolicy = RandomChoices.wanted(world, random);
      modelFeed =
          modelFeed.expected().containsKey(modelPolicy.objectKey())
              ? modelFeed
              : modelFeed.with(modelPolicy);
    }
    return publish(modelFeed);
  }

  String empty() {
    return publish(ModelFeed.EMPTY);
  }

  String restore() {
    return publish(world.lastGood());
  }

  /// A document that nobody can read, or two of one policy.
  String spoil() {
    var modelFeed = world.feed();
    if (modelFeed.documents().isEmpty() || random.nextInt(3) > 0) {
      return publish(modelFeed.withSpoilt(RandomChoices.one(random, NO_POLICIES)));
    }
    var modelPolicy = RandomChoices.one(random, modelFeed.documents());
    return publish(
        random.nextBoolean()
            ? modelFeed.with(modelPolicy.withForm(random.nextInt(ModelPolicy.FORMS)))
            : modelFeed.without(modelPolicy).withSpoilt(modelPolicy.yaml() + "  oops: [\n"));
  }

  /// A document that everybody can read and the API server refuses.
  String flaw() {
    var modelFeed = world.feed();
    if (modelFeed.documents().isEmpty() || random.nextBoolean()) {
      var objectKey = RandomChoices.key(world, random, ModelKind.POLICY);
      return publish(
          modelFeed.with(
              new ModelPolicy(
                  new ObjectKey(objectKey.modelKind(), ModelPolicy.NOWHERE, objectKey.name()), 0)));
    }
    var modelPolicy = RandomChoices.one(random, modelFeed.documents());
    return publish(
        modelFeed.replacing(
            modelPolicy, new ModelPolicy(modelPolicy.objectKey(), modelPolicy.form(), true)));
  }

  String mend() {
    return publish(world.feed().mended());
  }

  private String publish(ModelFeed modelFeed) {
    world.publish(modelFeed);
    return modelFeed.toString();
  }
}
