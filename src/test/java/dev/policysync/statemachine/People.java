package dev.policysync.statemachine;

import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/// Everybody beside the agent who writes to the cluster. What they try may fail: somebody else may
/// have been faster.
final class People {
  static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private static final String NOTHING = "found nothing to do";
  private static final List<String> EDITORS =
      List.of("kubectl-edit", "kubectl-patch", "argocd-controller", "Mozilla");
  private static final List<String> NOTES =
      List.of(
          "annotations: {'policysync.dev/applied': null}",
          "annotations: {'policysync.dev/source': null}",
          "annotations: {'policysync.dev/applied': null, 'policysync.dev/source': null}",
          "labels: {'policysync.dev/managed': null}",
          "labels: {'policysync.dev/managed': 'false'}",
          "annotations: {'feed.example/title': null}",
          "annotations: {'feed.example/title': 'somebody else''s'}",
          "labels: {'feed.example/tier': null}",
          "annotations: {'people.example/note': 'seen'}",
          "labels: {'people.example/team': 'blue'}",
          "annotations: null",
          "labels: null");

  private final World world;
  private final RawApi admin;
  private final Random random;

  People(World world, Random random) {
    this.world = world;
    this.admin = world.admin();
    this.random = random;
  }

  String editASpec() {
    return onOne(
        Thing::ours,
        thing -> {
          var edit = Dice.one(random, thing.key().kind().edits());
          merge(thing.key(), Dice.one(random, EDITORS), "spec: {" + edit + "}");
          return edit;
        });
  }

  /// With force, as another tool does that believes to be in charge.
  String applyAsAnotherTool() {
    return onOne(
        Thing::ours,
        thing -> {
          var edit = Dice.one(random, thing.key().kind().edits());
          var key = thing.key();
          var manifest =
              "apiVersion: %s\nkind: %s\nmetadata: {name: %s, labels: {people.example/tool: argo}}\nspec: {%s}\n"
                  .formatted(key.kind().apiVersion(), key.kind().kind(), key.name(), edit);
          admin.apply(key.url() + "?fieldManager=argocd-controller&force=true", manifest);
          world.touched(key);
          return edit;
        });
  }

  String editNotes() {
    return onOne(
        Thing::ours,
        thing -> {
          var edit = Dice.one(random, NOTES);
          merge(thing.key(), Dice.one(random, EDITORS), "metadata: {" + edit + "}");
          return edit;
        });
  }

  String wipeManagedFields() {
    return onOne(
        Thing::ours,
        thing -> {
          var nobody =
              "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]";
          admin.jsonPatch(thing.key().url(), nobody);
          world.touched(thing.key());
          return "managedFields: [{}]";
        });
  }

  /// As Kyverno does all the time.
  String writeAStatus() {
    return onOne(
        Thing::ours,
        thing -> {
          var key = thing.key();
          var status =
              switch (key.kind()) {
                case CLUSTER_POLICY, POLICY -> "rulecount: {validate: " + random.nextInt(9) + "}";
                case VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY ->
                    "conditionStatus: {ready: true, message: '" + random.nextInt(9) + "'}";
                case CONTEXT -> "ready: " + random.nextBoolean();
                case EXCEPTION, CEL_EXCEPTION, CLEANUP_POLICY -> "conditions: []";
              };
          admin.merge(
              key.url() + "/status?fieldManager=kyverno",
              Documents.yaml("status: {" + status + "}"));
          world.touched(key);
          return status;
        });
  }

  /// As the agent before this one, and people, apply: from the client, with no marks but the owner.
  String kubectlApply() {
    var wanted =
        world.feed().documents().isEmpty() || random.nextInt(3) == 0
            ? Dice.wanted(world, random)
            : Dice.one(random, world.feed().documents());
    var form = random.nextBoolean() ? wanted : wanted.withForm(random.nextInt(Wanted.FORMS));
    var manifest = form.manifest();
    var annotations =
        manifest
            .mapping("metadata")
            .mapping("annotations")
            .with(LAST_APPLIED, new Value.Text(CanonicalJson.write(manifest)))
            .with(Thing.OWNED_BY, new Value.Text("Fairwinds Insights"));
    var object =
        manifest.with("metadata", manifest.mapping("metadata").with("annotations", annotations));
    var key = wanted.key();
    if (world.live().get(key).isEmpty()) {
      create(key, object, "kubectl-client-side-apply");
      return "creates " + form;
    }
    admin.merge(
        key.url() + "?fieldManager=kubectl-client-side-apply",
        object.with("apiVersion", new Value.Text(key.kind().apiVersion())));
    world.touched(key);
    return "applies " + form;
  }

  String copy() {
    return onOne(
        Thing::ours,
        thing -> {
          var copy = Dice.key(world, random, thing.key().kind());
          var metadata =
              new Value.Mapping(
                  Map.of(
                      "labels", thing.metadata().mapping("labels"),
                      "annotations", thing.metadata().mapping("annotations")));
          create(copy, object(copy, metadata, thing.spec()), "kubectl-create");
          return "as " + copy;
        });
  }

  /// A policy that carries the owner's annotation and nothing else of ours: it is ours.
  String createOwned() {
    var wanted = Dice.wanted(world, random);
    create(wanted.key(), noted(wanted, Thing.OWNED_BY, "Fairwinds Insights"), "kubectl-create");
    return "creates " + wanted;
  }

  String createUnowned() {
    var wanted = Dice.wanted(world, random);
    create(wanted.key(), noted(wanted, Thing.OWNED_BY, "somebody"), "kubectl-create");
    return "creates " + wanted;
  }

  /// Where the feed wants its own: sometimes the very same one.
  String takeAName() {
    var free =
        world.feed().expected().values().stream()
            .filter(wanted -> world.live().get(wanted.key()).isEmpty())
            .toList();
    if (free.isEmpty()) {
      return NOTHING;
    }
    var wanted = Dice.one(random, free).withForm(Dice.one(random, free).form());
    var form = random.nextBoolean() ? wanted : wanted.withForm(random.nextInt(Wanted.FORMS));
    var object = form.manifest();
    var metadata = object.mapping("metadata");
    var unowned = metadata.mapping("annotations").without(Thing.OWNED_BY);
    create(wanted.key(), object.with("metadata", metadata.with("annotations", unowned)), "kubectl");
    return "creates " + form + " unowned";
  }

  /// As Kyverno owns what it generates.
  String giveAnOwner() {
    return onOne(
        Thing::ours,
        thing -> {
          var owner = "{apiVersion: v1, kind: ConfigMap, name: maker, uid: 1-2-3}";
          merge(thing.key(), "kyverno", "metadata: {ownerReferences: [" + owner + "]}");
          return owner;
        });
  }

  String takeTheOwnerAway() {
    return onOne(
        thing -> thing.standing() == Thing.Standing.MADE_BY_ANOTHER_OBJECT,
        thing -> {
          merge(thing.key(), "kyverno", "metadata: {ownerReferences: null}");
          return "";
        });
  }

  String giveToAnotherSource() {
    return onOne(
        Thing::ours,
        thing -> {
          note(thing, Thing.SOURCE_MARK, "acme/prod-2");
          return "acme/prod-2";
        });
  }

  /// Makes ours what was not, by the marks alone.
  String claim() {
    return onOne(
        thing -> !thing.ours(),
        thing -> {
          note(thing, Thing.OWNED_BY, "Fairwinds Insights");
          return "owned-by";
        });
  }

  String detach() {
    return onOne(
        Thing::ours,
        thing -> {
          note(thing, Thing.OWNED_BY, "somebody");
          return "owned-by: somebody";
        });
  }

  String keep() {
    return onOne(
        Thing::ours,
        thing -> {
          var value = thing.removable() ? "disabled" : "enabled";
          note(thing, Thing.PRUNE, value);
          return "prune: " + value;
        });
  }

  String delete() {
    return onOne(
        Thing::ours,
        thing -> {
          admin.delete(thing.key().url());
          world.touched(thing.key());
          return "";
        });
  }

  /// What is not ours comes and goes, too.
  String deleteForeign() {
    return onOne(
        thing -> !thing.ours(),
        thing -> {
          admin.delete(thing.key().url());
          world.touched(thing.key());
          return "";
        });
  }

  /// Deletes it and creates another one of the same name that is not ours.
  String replaceByAnUnownedOne() {
    return onOne(
        Thing::ours,
        thing -> {
          admin.delete(thing.key().url());
          var metadata = new Value.Mapping(Map.of("labels", thing.metadata().mapping("labels")));
          create(thing.key(), object(thing.key(), metadata, thing.spec()), "kubectl-replace");
          return "";
        });
  }

  /// What is there is not to be touched any more, or gone; where nothing is, there is something
  /// now.
  String snatch(Key key) {
    if (admin.get(key.url()).status() == 404) {
      var wanted = new Wanted(key, random.nextInt(Wanted.FORMS));
      create(key, noted(wanted, Thing.OWNED_BY, "somebody"), "kubectl-create");
      return "created unowned";
    }
    var note = Dice.one(random, List.of(Thing.PRUNE + ": disabled", Thing.OWNED_BY + ": somebody"));
    merge(key, "kubectl-annotate", "metadata: {annotations: {" + note + "}}");
    return note;
  }

  /// Deletes it while a finalizer is on it.
  String beginToDelete() {
    return onOne(
        thing -> thing.ours() && !thing.terminating(),
        thing -> {
          merge(thing.key(), "somebody", "metadata: {finalizers: [people.example/wait]}");
          admin.delete(thing.key().url());
          world.touched(thing.key());
          return "with a finalizer";
        });
  }

  String finishDeleting() {
    return onOne(
        Thing::terminating,
        thing -> {
          finish(thing);
          return "";
        });
  }

  /// Nothing is left half deleted.
  void finishAllDeletions() {
    world.live().where(Thing::terminating).forEach(this::finish);
  }

  private void finish(Thing thing) {
    merge(thing.key(), "somebody", "metadata: {finalizers: null}");
  }

  /// Does what the agent's summary says.
  String approve() {
    var list = world.books().listToApprove();
    list.ifPresent(digest -> {
      world.lease().approve(digest);
      world.books().approved(false);
    });
    return list.orElse(NOTHING);
  }

  String approveAnotherList() {
    world.lease().approve("sha256:" + "0".repeat(64));
    return "";
  }

  String approveLongAgo() {
    var said = approve();
    world.lease().backdate(java.time.Duration.ofHours(25));
    world.books().approved(true);
    return said;
  }

  String withdrawApproval() {
    world.lease().withdrawApproval();
    return "";
  }

  /// Whoever holds it meets a conflict at the next renewal.
  String annotateTheLease() {
    world.lease().annotate("people.example/note", "'" + random.nextInt(100) + "'");
    return "";
  }

  private void note(Thing thing, String annotation, String value) {
    merge(
        thing.key(),
        "kubectl-annotate",
        "metadata: {annotations: {" + annotation + ": " + value + "}}");
  }

  private void merge(Key key, String manager, String patch) {
    admin.merge(key.url() + "?fieldManager=" + manager, Documents.yaml(patch));
    world.touched(key);
  }

  private void create(Key key, Value.Mapping object, String manager) {
    admin.post(
        key.kind().collection(key.namespace()) + "?fieldManager=" + manager,
        object.with("apiVersion", new Value.Text(key.kind().apiVersion())));
    world.touched(key);
  }

  private static Value.Mapping noted(Wanted wanted, String annotation, String value) {
    var manifest = wanted.manifest();
    var metadata = manifest.mapping("metadata");
    var annotations = metadata.mapping("annotations").with(annotation, new Value.Text(value));
    return manifest.with("metadata", metadata.with("annotations", annotations));
  }

  private static Value.Mapping object(Key key, Value.Mapping metadata, Value.Mapping spec) {
    var named = metadata.with("name", new Value.Text(key.name()));
    return Value.Mapping.EMPTY
        .with("kind", new Value.Text(key.kind().kind()))
        .with(
            "metadata",
            key.namespace().isEmpty()
                ? named
                : named.with("namespace", new Value.Text(key.namespace())))
        .with("spec", spec);
  }

  private String onOne(Predicate<Thing> condition, Act act) {
    var possible = world.live().where(condition);
    return possible.isEmpty() ? NOTHING : said(Dice.one(random, possible), act);
  }

  private static String said(Thing thing, Act act) {
    return thing.key() + " " + act.on(thing);
  }

  private interface Act {
    String on(Thing thing);
  }
}
