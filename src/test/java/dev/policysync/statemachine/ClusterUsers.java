package dev.policysync.statemachine;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/// Everybody beside the agent who writes to the cluster. What they try may fail: somebody else may
/// have been faster.
final class ClusterUsers {
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

  ClusterUsers(World world, Random random) {
    this.world = world;
    this.admin = world.admin();
    this.random = random;
  }

  String editASpec() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var edit = RandomChoices.one(random, observedObject.objectKey().modelKind().edits());
          merge(
              observedObject.objectKey(),
              RandomChoices.one(random, EDITORS),
              "spec: {" + edit + "}");
          return edit;
        });
  }

  /// With force, as another tool does that believes to be in charge.
  String applyAsAnotherTool() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var edit = RandomChoices.one(random, observedObject.objectKey().modelKind().edits());
          var objectKey = observedObject.objectKey();
          var manifest =
              "apiVersion: %s\nkind: %s\nmetadata: {name: %s, labels: {people.example/tool: argo}}\nspec: {%s}\n"
                  .formatted(
                      objectKey.modelKind().apiVersion(),
                      objectKey.modelKind().kind(),
                      objectKey.name(),
                      edit);
          admin.apply(objectKey.url() + "?fieldManager=argocd-controller&force=true", manifest);
          world.touched(objectKey);
          return edit;
        });
  }

  String editNotes() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var edit = RandomChoices.one(random, NOTES);
          merge(
              observedObject.objectKey(),
              RandomChoices.one(random, EDITORS),
              "metadata: {" + edit + "}");
          return edit;
        });
  }

  String wipeManagedFields() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var nobody =
              "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]";
          admin.jsonPatch(observedObject.objectKey().url(), nobody);
          world.touched(observedObject.objectKey());
          return "managedFields: [{}]";
        });
  }

  /// As Kyverno does all the time.
  String writeAStatus() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var objectKey = observedObject.objectKey();
          var status =
              switch (objectKey.modelKind()) {
                case CLUSTER_POLICY, POLICY -> "rulecount: {validate: " + random.nextInt(9) + "}";
                case VALIDATING_POLICY, NAMESPACED_VALIDATING_POLICY ->
                    "conditionStatus: {ready: true, message: '" + random.nextInt(9) + "'}";
                case CONTEXT -> "ready: " + random.nextBoolean();
                case EXCEPTION, CEL_EXCEPTION, CLEANUP_POLICY -> "conditions: []";
              };
          admin.merge(
              objectKey.url() + "/status?fieldManager=kyverno",
              Documents.yaml("status: {" + status + "}"));
          world.touched(objectKey);
          return status;
        });
  }

  /// As the agent before this one, and people, apply: from the client, with no marks but the owner.
  String kubectlApply() {
    var modelPolicy =
        world.feed().documents().isEmpty() || random.nextInt(3) == 0
            ? RandomChoices.wanted(world, random)
            : RandomChoices.one(random, world.feed().documents());
    var form =
        random.nextBoolean()
            ? modelPolicy
            : modelPolicy.withForm(random.nextInt(ModelPolicy.FORMS));
    var manifest = form.manifest();
    var annotations =
        manifest
            .mapping("metadata")
            .mapping("annotations")
            .with(LAST_APPLIED, CanonicalJson.write(manifest))
            .with(ObservedObject.OWNED_BY, "Fairwinds Insights");
    var object =
        manifest.with("metadata", manifest.mapping("metadata").with("annotations", annotations));
    var objectKey = modelPolicy.objectKey();
    if (world.live().get(objectKey).isEmpty()) {
      create(objectKey, object, "kubectl-client-side-apply");
      return "creates " + form;
    }
    admin.merge(
        objectKey.url() + "?fieldManager=kubectl-client-side-apply",
        object.with("apiVersion", objectKey.modelKind().apiVersion()));
    world.touched(objectKey);
    return "applies " + form;
  }

  String copy() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var copy = RandomChoices.key(world, random, observedObject.objectKey().modelKind());
          var metadata =
              new Value.Mapping(
                  Map.of(
                      "labels", observedObject.metadata().mapping("labels"),
                      "annotations", observedObject.metadata().mapping("annotations")));
          create(copy, object(copy, metadata, observedObject.spec()), "kubectl-create");
          return "as " + copy;
        });
  }

  /// A policy that carries the owner's annotation and nothing else of ours: it is ours.
  String createOwned() {
    var modelPolicy = RandomChoices.wanted(world, random);
    create(
        modelPolicy.objectKey(),
        noted(modelPolicy, ObservedObject.OWNED_BY, "Fairwinds Insights"),
        "kubectl-create");
    return "creates " + modelPolicy;
  }

  String createUnowned() {
    var modelPolicy = RandomChoices.wanted(world, random);
    create(
        modelPolicy.objectKey(),
        noted(modelPolicy, ObservedObject.OWNED_BY, "somebody"),
        "kubectl-create");
    return "creates " + modelPolicy;
  }

  /// Where the feed wants its own: sometimes the very same one.
  String takeAName() {
    var free =
        world.feed().expected().values().stream()
            .filter(modelPolicy -> world.live().get(modelPolicy.objectKey()).isEmpty())
            .toList();
    if (free.isEmpty()) {
      return NOTHING;
    }
    var modelPolicy =
        RandomChoices.one(random, free).withForm(RandomChoices.one(random, free).form());
    var form =
        random.nextBoolean()
            ? modelPolicy
            : modelPolicy.withForm(random.nextInt(ModelPolicy.FORMS));
    var object = form.manifest();
    var metadata = object.mapping("metadata");
    var unowned = metadata.mapping("annotations").without(ObservedObject.OWNED_BY);
    create(
        modelPolicy.objectKey(),
        object.with("metadata", metadata.with("annotations", unowned)),
        "kubectl");
    return "creates " + form + " unowned";
  }

  /// As Kyverno owns what it generates.
  String giveAnOwner() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var owner = "{apiVersion: v1, kind: ConfigMap, name: maker, uid: 1-2-3}";
          merge(
              observedObject.objectKey(),
              "kyverno",
              "metadata: {ownerReferences: [" + owner + "]}");
          return owner;
        });
  }

  String takeTheOwnerAway() {
    return onOne(
        observedObject ->
            observedObject.standing() == ObservedObject.Standing.MADE_BY_ANOTHER_OBJECT,
        observedObject -> {
          merge(observedObject.objectKey(), "kyverno", "metadata: {ownerReferences: null}");
          return "";
        });
  }

  String giveToAnotherSource() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          note(observedObject, ObservedObject.SOURCE_MARK, "acme/prod-2");
          return "acme/prod-2";
        });
  }

  /// Makes ours what was not, by the marks alone.
  String claim() {
    return onOne(
        observedObject -> !observedObject.ours(),
        observedObject -> {
          note(observedObject, ObservedObject.OWNED_BY, "Fairwinds Insights");
          return "owned-by";
        });
  }

  String detach() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          note(observedObject, ObservedObject.OWNED_BY, "somebody");
          return "owned-by: somebody";
        });
  }

  String keep() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var value = observedObject.removable() ? "disabled" : "enabled";
          note(observedObject, ObservedObject.PRUNE, value);
          return "prune: " + value;
        });
  }

  /// As people do during an incident.
  String pause() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          var value = observedObject.paused() ? "enabled" : "disabled";
          note(observedObject, ObservedObject.RECONCILE, value);
          return "reconcile: " + value;
        });
  }

  String delete() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          admin.delete(observedObject.objectKey().url());
          world.touched(observedObject.objectKey());
          return "";
        });
  }

  /// What is not ours comes and goes, too.
  String deleteForeign() {
    return onOne(
        observedObject -> !observedObject.ours(),
        observedObject -> {
          admin.delete(observedObject.objectKey().url());
          world.touched(observedObject.objectKey());
          return "";
        });
  }

  /// Deletes it and creates another one of the same name that is not ours.
  String replaceByAnUnownedOne() {
    return onOne(
        ObservedObject::ours,
        observedObject -> {
          admin.delete(observedObject.objectKey().url());
          var metadata =
              new Value.Mapping(Map.of("labels", observedObject.metadata().mapping("labels")));
          create(
              observedObject.objectKey(),
              object(observedObject.objectKey(), metadata, observedObject.spec()),
              "kubectl-replace");
          return "";
        });
  }

  /// What is there is not to be touched any more, or gone; where nothing is, there is something
  /// now.
  String snatch(ObjectKey objectKey) {
    if (admin.get(objectKey.url()).status() == 404) {
      var modelPolicy = new ModelPolicy(objectKey, random.nextInt(ModelPolicy.FORMS));
      create(objectKey, noted(modelPolicy, ObservedObject.OWNED_BY, "somebody"), "kubectl-create");
      return "created unowned";
    }
    var note =
        RandomChoices.one(
            random,
            List.of(
                ObservedObject.PRUNE + ": disabled",
                ObservedObject.RECONCILE + ": disabled",
                ObservedObject.OWNED_BY + ": somebody"));
    merge(objectKey, "kubectl-annotate", "metadata: {annotations: {" + note + "}}");
    return note;
  }

  /// Whoever deletes it from now on has to wait for somebody.
  String holdByAFinalizer() {
    return onOne(
        observedObject -> observedObject.ours() && !observedObject.terminating(),
        observedObject -> {
          hold(observedObject);
          return "";
        });
  }

  private void hold(ObservedObject observedObject) {
    merge(observedObject.objectKey(), "somebody", "metadata: {finalizers: [people.example/wait]}");
  }

  /// Deletes it while a finalizer is on it.
  String beginToDelete() {
    return onOne(
        observedObject -> observedObject.ours() && !observedObject.terminating(),
        observedObject -> {
          hold(observedObject);
          admin.delete(observedObject.objectKey().url());
          world.touched(observedObject.objectKey());
          return "with a finalizer";
        });
  }

  String finishDeleting() {
    return onOne(
        ObservedObject::terminating,
        observedObject -> {
          finish(observedObject);
          return "";
        });
  }

  String stopKyverno() {
    world.stopKyverno();
    return "";
  }

  String startKyverno() {
    world.startKyverno();
    return "";
  }

  /// Nothing is left half deleted, and nothing has to be waited for.
  void removeAllFinalizers() {
    world
        .live()
        .where(observedObject -> !observedObject.metadata().items("finalizers").isEmpty())
        .forEach(this::finish);
  }

  private void finish(ObservedObject observedObject) {
    merge(observedObject.objectKey(), "somebody", "metadata: {finalizers: null}");
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

  /// Makes a part of what runs left for each other unreadable, or all of it.
  String spoilTheMemory() {
    var spoilt = world.lease().spoilMemory(random);
    if (spoilt.isPresent()) {
      world.spoilMemory();
    }
    return spoilt.orElse(NOTHING);
  }

  /// Whoever holds it meets a conflict at the next renewal.
  String annotateTheLease() {
    world.lease().annotate("people.example/note", "'" + random.nextInt(100) + "'");
    return "";
  }

  private void note(ObservedObject observedObject, String annotation, String value) {
    merge(
        observedObject.objectKey(),
        "kubectl-annotate",
        "metadata: {annotations: {" + annotation + ": " + value + "}}");
  }

  private void merge(ObjectKey objectKey, String manager, String patch) {
    admin.merge(objectKey.url() + "?fieldManager=" + manager, Documents.yaml(patch));
    world.touched(objectKey);
  }

  private void create(ObjectKey objectKey, Value.Mapping object, String manager) {
    admin.post(
        objectKey.modelKind().collection(objectKey.namespace()) + "?fieldManager=" + manager,
        object.with("apiVersion", objectKey.modelKind().apiVersion()));
    world.touched(objectKey);
  }

  private static Value.Mapping noted(ModelPolicy modelPolicy, String annotation, String value) {
    var manifest = modelPolicy.manifest();
    var metadata = manifest.mapping("metadata");
    var annotations = metadata.mapping("annotations").with(annotation, value);
    return manifest.with("metadata", metadata.with("annotations", annotations));
  }

  private static Value.Mapping object(
      ObjectKey objectKey, Value.Mapping metadata, Value.Mapping spec) {
    var named = metadata.with("name", objectKey.name());
    return Value.Mapping.EMPTY
        .with("kind", objectKey.modelKind().kind())
        .with(
            "metadata",
            objectKey.namespace().isEmpty()
                ? named
                : named.with("namespace", objectKey.namespace()))
        .with("spec", spec);
  }

  private String onOne(Predicate<ObservedObject> condition, Act act) {
    var possible = world.live().where(condition);
    return possible.isEmpty() ? NOTHING : said(RandomChoices.one(random, possible), act);
  }

  private static String said(ObservedObject observedObject, Act act) {
    return observedObject.objectKey() + " " + act.on(observedObject);
  }

  private interface Act {
    String on(ObservedObject observedObject);
  }
}
