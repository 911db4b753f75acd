package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.plan.managedfields.PathElement;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.kyverno.NotReady;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// One object of a [FakePolicyStore]: its fields, who owns which of them, and its version.
final class FakeObject {
  private static final PathElement SPEC = new PathElement.Field("spec");
  private static final List<PathElement> BACKGROUND =
      List.of(SPEC, new PathElement.Field("background"));
  private static final List<PathElement> LAST_APPLIED =
      List.of(
          new PathElement.Field("metadata"),
          new PathElement.Field("annotations"),
          new PathElement.Field(ServerFields.LAST_APPLIED));
  private static final List<PathElement> DELETION =
      List.of(new PathElement.Field("metadata"), new PathElement.Field("deletionTimestamp"));
  private static final LiveStatus PAUSED =
      new LiveStatus(
          LiveStatus.Readiness.UNKNOWN,
          Optional.empty(),
          Optional.empty(),
          Optional.of(new LiveStatus.Pause(Optional.empty(), Optional.empty())));
  private static final Owner US = new Owner(FieldOwnership.MANAGER, "Apply");

  private final PolicyId id;
  private final String uid;
  private final Map<List<PathElement>, Value> leaves = new LinkedHashMap<>();
  private final Map<Owner, Set<List<PathElement>>> owners = new LinkedHashMap<>();
  private Value.Mapping status = Value.Mapping.EMPTY;
  private Value.Mapping counted = Value.Mapping.EMPTY;
  private long resourceVersion;
  private long generation;
  private Optional<Instant> applied = Optional.empty();
  private Optional<Instant> written = Optional.empty();

  // What these are is built from all fields, and asked for often.
  private Optional<Value.Mapping> content = Optional.empty();
  private Optional<LivePolicy> live = Optional.empty();

  FakeObject(PolicyId id, String uid) {
    this.id = id;
    this.uid = uid;
  }

  private record Owner(String manager, String operation) {}

  /// Another object that is the same, to try something on.
  FakeObject copy() {
    var copy = new FakeObject(id, uid);
    copy.leaves.putAll(leaves);
    copy.owners.putAll(owners);
    copy.status = status;
    copy.counted = counted;
    copy.resourceVersion = resourceVersion;
    copy.generation = generation;
    copy.applied = applied;
    copy.written = written;
    copy.content = content;
    copy.live = live;
    return copy;
  }

  /// Our own apply: afterwards the spec is what the manifest says, and nobody owns anything of that
  /// or of the manifest's other fields beside us.
  ///
  /// @return whether it changed anything
  boolean applyAndTakeOver(Value.Mapping manifest) {
    changed();
    var before = Map.copyOf(leaves);
    var ownersBefore = Map.copyOf(owners);
    var ours = ownable(manifest);
    var mine = owners.getOrDefault(US, Set.of());
    owners.remove(US);
    leaves.keySet().removeIf(path -> taken(path) || (mine.contains(path) && !owned(path)));
    disown(path -> taken(path) || ours.containsKey(path));
    leaves.putAll(ours);
    owners.put(US, Set.copyOf(ours.keySet()));
    addDefaults();
    return !leaves.equals(before) || !owners.equals(ownersBefore);
  }

  /// A forced apply of another manager. Where it says what is there already, it becomes an owner
  /// beside those there are.
  void apply(String manager, Value.Mapping manifest) {
    changed();
    var named = ownable(manifest);
    disown(path -> named.containsKey(path) && !named.get(path).equals(leaves.get(path)));
    leaves.putAll(named);
    owners.put(new Owner(manager, "Apply"), Set.copyOf(named.keySet()));
  }

  /// A merge patch, or the creation of an object that is empty so far: what it changes belongs to
  /// its manager alone.
  void update(String manager, Value.Mapping patch) {
    changed();
    var after = ownable((Value.Mapping) merged(FakeFields.object(leaves), patch));
    disown(path -> !after.containsKey(path) || !after.get(path).equals(leaves.get(path)));
    var owner = new Owner(manager, "Update");
    var changed = new HashSet<>(owners.getOrDefault(owner, Set.of()));
    after.forEach((path, value) -> {
      if (!value.equals(leaves.get(path))) {
        changed.add(path);
      }
    });
    leaves.clear();
    leaves.putAll(after);
    addDefaults();
    if (!changed.isEmpty()) {
      owners.put(owner, Set.copyOf(changed));
    }
  }

  void report(Value.Mapping reported) {
    changed();
    status = reported;
  }

  boolean hasFinalizers() {
    return !content().mapping("metadata").items("finalizers").isEmpty();
  }

  /// What a removal does to it while it has finalizers.
  void markForDeletion() {
    changed();
    leaves.putIfAbsent(DELETION, new Value.Text("2026-11-20T09:30:00Z"));
  }

  void cutOutOthers() {
    changed();
    owners.keySet().retainAll(Set.of(US));
  }

  void forgetOwners() {
    changed();
    owners.clear();
  }

  void writtenAt(long revision) {
    live = Optional.empty();
    resourceVersion = revision;
    var now = content().mapping("spec");
    if (!now.equals(counted)) {
      generation++;
      counted = now;
    }
  }

  /// Our own write at that time.
  void appliedAt(Instant time) {
    changed();
    applied = Optional.of(time);
  }

  /// Our own write at that time, which only a read shows.
  void writtenBy(Instant time) {
    written = Optional.of(time);
  }

  ObjectVersion version() {
    return new ObjectVersion(uid, Long.toString(resourceVersion));
  }

  private void changed() {
    content = Optional.empty();
    live = Optional.empty();
  }

  LivePolicy live() {
    live = live.or(() -> Optional.of(listed()));
    return live.orElseThrow();
  }

  private LivePolicy listed() {
    var metadata = content().mapping("metadata");
    var annotations = new HashMap<String, String>();
    metadata
        .mapping("annotations")
        .fields()
        .forEach((name, value) -> annotations.put(name, ((Value.Text) value).text()));
    return new LivePolicy(
        id,
        version(),
        generation,
        !metadata.items("ownerReferences").isEmpty(),
        metadata.field("deletionTimestamp").isPresent(),
        annotations,
        new FieldOwnership(
            annotations.containsKey(OwnershipAnnotations.OWNED_BY) ? managedFields() : List.of()),
        OwnershipAnnotations.DISABLED.equals(annotations.get(OwnershipAnnotations.RECONCILE))
            ? PAUSED
            : new LiveStatus(readiness(), applied, Optional.empty(), Optional.empty()),
        OwnershipAnnotations.content(metadata));
  }

  /// Unknown until somebody reports.
  private LiveStatus.Readiness readiness() {
    if (status.fields().isEmpty()) {
      return LiveStatus.Readiness.UNKNOWN;
    }
    return NotReady.of(id.kind(), read()).isEmpty()
        ? LiveStatus.Readiness.READY
        : LiveStatus.Readiness.NOT_READY;
  }

  /// The whole object, as a GET shows it.
  Value.Mapping read() {
    var metadata =
        content()
            .mapping("metadata")
            .with("uid", uid)
            .with("generation", new Value.Numeric(Long.toString(generation)))
            .with("resourceVersion", Long.toString(resourceVersion));
    return content()
        .with("metadata", written.map(time -> timed(metadata, time)).orElse(metadata))
        .with("status", status);
  }

  private static Value.Mapping timed(Value.Mapping metadata, Instant time) {
    var entry =
        Value.Mapping.EMPTY
            .with("manager", FieldOwnership.MANAGER)
            .with("time", time.truncatedTo(ChronoUnit.SECONDS).toString());
    return metadata.with("managedFields", new Value.Sequence(List.of(entry)));
  }

  /// The object less what the server keeps for itself.
  Value.Mapping content() {
    content = content.or(() -> Optional.of(built()));
    return content.orElseThrow();
  }

  private Value.Mapping built() {
    var object = FakeFields.object(leaves);
    var metadata = object.mapping("metadata").with("name", id.name());
    var version = id.kind().group() + "/" + id.kind().versions().getFirst();
    return object
        .with("apiVersion", version)
        .with("kind", id.kind().kind())
        .with(
            "metadata",
            id.namespace()
                .map(namespace -> metadata.with("namespace", namespace))
                .orElse(metadata));
  }

  private List<ManagedFields> managedFields() {
    var entries = new ArrayList<ManagedFields>();
    owners.forEach((owner, paths) ->
        entries.add(
            new ManagedFields(
                owner.manager(), owner.operation(), "v1", "", FakeFields.set(paths))));
    if (!status.fields().isEmpty()) {
      var all = new FieldSet(false, Map.of(new PathElement.Field("status"), FieldSet.LEAF));
      entries.add(new ManagedFields("kyverno", "Update", "v1", "status", all));
    }
    return entries;
  }

  /// The one default that this server knows.
  private void addDefaults() {
    if (id.kind().label().endsWith("Policy")) {
      leaves.putIfAbsent(BACKGROUND, new Value.Bool(true));
    }
  }

  private void disown(Predicate<List<PathElement>> lost) {
    owners.replaceAll((_, paths) -> without(paths, lost));
    owners.values().removeIf(Set::isEmpty);
  }

  private boolean owned(List<PathElement> path) {
    return owners.values().stream().anyMatch(paths -> paths.contains(path));
  }

  private static Set<List<PathElement>> without(
      Set<List<PathElement>> paths, Predicate<List<PathElement>> lost) {
    var kept = new HashSet<>(paths);
    kept.removeIf(lost);
    return Set.copyOf(kept);
  }

  /// Whether a take-over makes it ours whoever owned it.
  private static boolean taken(List<PathElement> path) {
    return inSpec(path) || path.equals(LAST_APPLIED);
  }

  private static boolean inSpec(List<PathElement> path) {
    return path.getFirst().equals(SPEC);
  }

  private static Map<List<PathElement>, Value> ownable(Value.Mapping manifest) {
    var metadata = manifest.mapping("metadata").without("name").without("namespace");
    var leaves =
        FakeFields.leaves(
            manifest.without("apiVersion").without("kind").with("metadata", metadata));
    leaves
        .entrySet()
        .removeIf(leaf -> !inSpec(leaf.getKey()) && leaf.getValue().equals(Value.Mapping.EMPTY));
    return leaves;
  }

  private static Value merged(Value before, Value patch) {
    if (!(patch instanceof Value.Mapping(var changes))) {
      return patch;
    }
    var after = before instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    for (var change : changes.entrySet()) {
      var name = change.getKey();
      var old = after.fields().getOrDefault(name, Value.Mapping.EMPTY);
      after =
          change.getValue() instanceof Value.Null
              ? after.without(name)
              : after.with(name, merged(old, change.getValue()));
    }
    return after;
  }
}
