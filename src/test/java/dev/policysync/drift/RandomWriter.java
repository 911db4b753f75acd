package dev.policysync.drift;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RawApi.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Everybody else who writes to a policy: who does what in which way is drawn.
///
/// Nobody here applies under the agent's own name, or gives the agent fields that it does not own:
/// who does that forges its signature.
final class RandomWriter {
  /// One of them is the agent's own name, for a write that is no apply.
  private static final List<String> NAMES =
      List.of(
          "kubectl-edit", "argocd-controller", "flux", "before-first-apply", "kyverno-policy-sync");

  private final DriftedPolicy driftedPolicy;
  private final Random random;
  private final RandomEdit randomEdit;

  RandomWriter(DriftedPolicy driftedPolicy, Random random) {
    this.driftedPolicy = driftedPolicy;
    this.random = random;
    this.randomEdit = new RandomEdit(random);
  }

  /// What somebody did.
  ///
  /// @param said `200 patch by kubectl-edit: spec.background: true → false`
  /// @param accepted whether the API server took it
  /// @param hides whether the record of what another did was taken away, and nothing else
  record Deed(String said, boolean accepted, boolean hides) {
    @Override
    public String toString() {
      return said;
    }
  }

  Deed meddle() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> changes(Way.MERGE_PATCH);
      case 3, 4, 5 -> changes(Way.JSON_PATCH);
      case 6, 7, 8 -> changes(Way.REPLACE);
      case 9, 10 -> changes(Way.APPLY_OF_THE_CHANGE);
      case 11 -> changes(Way.APPLY_OF_ALL);
      case 12 -> appliesWhatIsThere();
      case 13, 14 -> writesTheStatus();
      case 15 -> changesNothing();
      case 16 -> owners("forgets all owners", new Value.Sequence(List.of(Value.Mapping.EMPTY)));
      case 17, 18 -> takesFromTheAgent();
      default -> hidesAnother();
    };
  }

  private enum Way {
    MERGE_PATCH,
    JSON_PATCH,
    REPLACE,
    APPLY_OF_THE_CHANGE,
    APPLY_OF_ALL
  }

  private Deed changes(Way way) {
    var version = version();
    var path = RawApi.path(driftedPolicy.id(), version);
    var found = driftedPolicy.admin().get(path);
    if (found.status() != 200) {
      return deed("read at " + version, found, List.of());
    }
    var before = found.body();
    var after = randomEdit.of(before, driftedPolicy.schema());
    var name = name(way);
    var query = path + "?fieldManager=" + name;
    var patch = ObjectDiff.mergePatch(before, after);
    var admin = driftedPolicy.admin();
    var reply =
        switch (way) {
          case MERGE_PATCH -> admin.merge(query, patch);
          case JSON_PATCH -> admin.jsonPatch(query, ObjectDiff.jsonPatch(before, after));
          case REPLACE -> admin.put(query, after);
          case APPLY_OF_THE_CHANGE -> apply(query, before, patch);
          case APPLY_OF_ALL ->
              apply(query, before, Value.Mapping.EMPTY.with("spec", after.mapping("spec")));
        };
    return deed(way + " by " + name + " at " + version, reply, ObjectDiff.between(before, after));
  }

  /// Owns beside the agent what is as it was.
  private Deed appliesWhatIsThere() {
    var before = driftedPolicy.read();
    var spec = before.mapping("spec").fields();
    var some = new LinkedHashMap<String, Value>();
    spec.forEach((name, value) -> {
      if (random.nextBoolean()) {
        some.put(name, value);
      }
    });
    var part =
        random.nextInt(3) == 0
            ? Value.Mapping.EMPTY.with("metadata", labels(before))
            : Value.Mapping.EMPTY.with("spec", new Value.Mapping(some));
    var reply = apply(driftedPolicy.path() + "?fieldManager=owns-it-too", before, part);
    return deed("apply of what is there", reply, ObjectDiff.between(Value.Mapping.EMPTY, part));
  }

  private static Value.Mapping labels(Value.Mapping object) {
    return Value.Mapping.EMPTY.with("labels", object.mapping("metadata").mapping("labels"));
  }

  private Deed writesTheStatus() {
    var status = driftedPolicy.schema().property("status").sample(random);
    var patch = Value.Mapping.EMPTY.with("status", status);
    var reply =
        driftedPolicy.admin().merge(driftedPolicy.path() + "/status?fieldManager=kyverno", patch);
    return deed("status", reply, ObjectDiff.between(Value.Mapping.EMPTY, patch));
  }

  private Deed changesNothing() {
    var path = driftedPolicy.path() + "?fieldManager=" + name(Way.REPLACE);
    return deed(
        "replace by the same", driftedPolicy.admin().put(path, driftedPolicy.read()), List.of());
  }

  /// Takes one path out of the agent's entry, or makes it somebody else's.
  private Deed takesFromTheAgent() {
    var changed = new ArrayList<Value>();
    for (var value : entries()) {
      if (value instanceof Value.Mapping entry && ours(entry)) {
        switch (random.nextInt(4)) {
          case 0 -> changed.add(entry.with("operation", "Update"));
          case 1 -> changed.add(entry.with("manager", "another"));
          default -> changed.add(entry.with("fieldsV1", withoutOne(entry.mapping("fieldsV1"))));
        }
      } else {
        changed.add(value);
      }
    }
    return owners("takes from the agent's entry", new Value.Sequence(changed));
  }

  private Value.Mapping withoutOne(Value.Mapping fields) {
    var names = List.copyOf(fields.fields().keySet());
    var name = names.get(random.nextInt(names.size()));
    var below = fields.mapping(name);
    return below.fields().isEmpty() || random.nextInt(4) == 0
        ? fields.without(name)
        : fields.with(name, withoutOne(below));
  }

  /// Takes away the entry of somebody else.
  private Deed hidesAnother() {
    var left = new ArrayList<>(entries());
    var others =
        left.stream()
            .filter(value -> value instanceof Value.Mapping entry && !ours(entry))
            .toList();
    if (others.isEmpty()) {
      return new Deed("nobody else to hide", false, false);
    }
    left.remove(others.get(random.nextInt(others.size())));
    var deed = owners("hides an entry of another", new Value.Sequence(left));
    return new Deed(deed.said, deed.accepted, deed.accepted);
  }

  private Deed owners(String what, Value.Sequence entries) {
    var patch =
        Value.Mapping.EMPTY.with("metadata", Value.Mapping.EMPTY.with("managedFields", entries));
    var reply =
        driftedPolicy.admin().merge(driftedPolicy.path() + "?fieldManager=kubectl-patch", patch);
    return deed(what, reply, List.of());
  }

  private List<Value> entries() {
    return driftedPolicy.read().mapping("metadata").items("managedFields");
  }

  private static boolean ours(Value.Mapping entry) {
    return entry.text("manager").orElse("").equals("kyverno-policy-sync")
        && entry.text("operation").orElse("").equals("Apply");
  }

  private Reply apply(String query, Value.Mapping before, Value.Mapping part) {
    var metadata = part.mapping("metadata");
    for (var identity : Set.of("name", "namespace")) {
      var value = before.mapping("metadata").text(identity);
      if (value.isPresent()) {
        metadata = metadata.with(identity, value.get());
      }
    }
    var manifest =
        part.with("apiVersion", text(before, "apiVersion"))
            .with("kind", text(before, "kind"))
            .with("metadata", metadata);
    return driftedPolicy.admin().apply(query + "&force=true", CanonicalJson.write(manifest));
  }

  private static Value text(Value.Mapping object, String name) {
    return new Value.Text(object.text(name).orElseThrow());
  }

  private String name(Way way) {
    var applies = way == Way.APPLY_OF_ALL || way == Way.APPLY_OF_THE_CHANGE;
    return NAMES.get(random.nextInt(applies ? NAMES.size() - 1 : NAMES.size()));
  }

  /// Nearly always the one at which the agent applies.
  private String version() {
    var versions = new ArrayList<>(driftedPolicy.id().kind().versions());
    if (Set.of(PolicyKind.CLUSTER_POLICY, PolicyKind.NAMESPACED_POLICY)
        .contains(driftedPolicy.id().kind())) {
      versions.add("v2beta1");
    }
    return random.nextInt(6) == 0
        ? versions.get(random.nextInt(versions.size()))
        : driftedPolicy.version();
  }

  private static Deed deed(String what, Reply reply, List<ObjectDiff> changes) {
    var accepted = reply.status() < 300;
    var why = accepted ? "" : " (" + reply.body().text("message").orElse("") + ")";
    return new Deed(reply.status() + " " + what + " " + changes + why, accepted, false);
  }
}
