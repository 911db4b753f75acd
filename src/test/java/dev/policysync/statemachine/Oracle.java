package dev.policysync.statemachine;

import dev.policysync.testcluster.RawApi;
import dev.policysync.yaml.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Tells whether an object is as the feed wants it, by asking the API server what it makes of the
/// manifest: no managed field and no digest of the agent's is believed.
final class Oracle {
  private final RawApi admin;
  private final String namespace;
  private final Map<Wanted, Value.Mapping> specs = new HashMap<>();

  /// @param namespace where namespaced manifests are tried
  Oracle(RawApi admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /// What keeps that object from being in force; nothing where it is.
  Optional<String> objection(Wanted wanted, Optional<Thing> there) {
    if (there.isEmpty()) {
      return Optional.of("it is not there");
    }
    var thing = there.get();
    if (!thing.ours() || thing.terminating()) {
      return Optional.of("it is " + thing);
    }
    return marks(thing).or(() -> content(wanted, thing)).or(() -> leftOvers(wanted, thing));
  }

  /// What an apply would change but for marks; nothing where it would not.
  Optional<String> content(Wanted wanted, Thing thing) {
    if (!thing.spec().equals(spec(wanted))) {
      return Optional.of("its spec is " + thing.spec() + ", and should be " + spec(wanted));
    }
    var metadata = wanted.manifest().mapping("metadata");
    return missing("annotation", metadata.mapping("annotations"), thing.annotations())
        .or(() -> missing("label", metadata.mapping("labels"), thing.labels()));
  }

  /// Whether anybody but the agent owns a part of its spec, by the API server's plain record.
  static Optional<String> otherOwner(Thing thing) {
    return thing.metadata().items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> !entry.text("manager").orElse("").equals("kyverno-policy-sync"))
        .filter(entry -> entry.mapping("fieldsV1").field("f:spec").isPresent())
        .map(entry -> "its spec is owned by " + entry.text("manager").orElse("nobody") + " too")
        .findFirst();
  }

  private static Optional<String> marks(Thing thing) {
    var annotations = thing.annotations();
    var signed =
        annotations
            .getOrDefault(Thing.APPLIED, "")
            .startsWith(thing.key().signature() + "@sha256:");
    var marked =
        signed
            && annotations.getOrDefault(Thing.SOURCE_MARK, "").equals(Thing.SOURCE)
            && thing.labels().getOrDefault(Thing.MANAGED, "").equals("true");
    return marked
        ? Optional.empty()
        : Optional.of("its marks are " + annotations + " and " + thing.labels());
  }

  private static Optional<String> missing(
      String what, Value.Mapping wanted, SortedMap<String, String> there) {
    for (var name : wanted.fields().keySet()) {
      var value = wanted.text(name).orElseThrow();
      if (!value.equals(there.get(name))) {
        return Optional.of(
            "its " + what + " " + name + " is " + there.get(name) + ", and should be " + value);
      }
    }
    return Optional.empty();
  }

  /// What the feed once wanted and does not want any more, unless somebody else wants it too.
  private static Optional<String> leftOvers(Wanted wanted, Thing thing) {
    var metadata = wanted.manifest().mapping("metadata");
    return leftOver("annotations", metadata, thing.annotations(), thing)
        .or(() -> leftOver("labels", metadata, thing.labels(), thing));
  }

  private static Optional<String> leftOver(
      String field, Value.Mapping wanted, SortedMap<String, String> there, Thing thing) {
    return there.keySet().stream()
        .filter(name -> name.startsWith("feed.example/"))
        .filter(name -> wanted.mapping(field).field(name).isEmpty())
        .filter(name -> !ownedByAnother(thing, field, name))
        .map(name -> "its " + name + " is not in the feed any more")
        .findFirst();
  }

  private static boolean ownedByAnother(Thing thing, String field, String name) {
    return thing.metadata().items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> !entry.text("manager").orElse("").equals("kyverno-policy-sync"))
        .map(entry -> entry.mapping("fieldsV1").mapping("f:metadata").mapping("f:" + field))
        .anyMatch(owned -> owned.field("f:" + name).isPresent());
  }

  /// The spec as the API server completes it, by a dry run of creating it under a name of the
  /// server's choice.
  private Value.Mapping spec(Wanted wanted) {
    return specs.computeIfAbsent(wanted, this::ask);
  }

  private Value.Mapping ask(Wanted wanted) {
    var kind = wanted.key().kind();
    var manifest = wanted.manifest();
    var metadata =
        manifest
            .mapping("metadata")
            .without("name")
            .with("generateName", new Value.Text("what-if-"));
    var where = kind.namespaced() ? namespace : "";
    if (kind.namespaced()) {
      metadata = metadata.with("namespace", new Value.Text(namespace));
    }
    var object =
        manifest.with("apiVersion", new Value.Text(kind.apiVersion())).with("metadata", metadata);
    return admin.post(kind.collection(where) + "?dryRun=All", object).ok().mapping("spec");
  }
}
