package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RawApi;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Tells whether an object is as the feed wants it, by asking the API server what it makes of the
/// manifest: no managed field and no digest of the agent's is believed.
final class Oracle {
  private final RawApi admin;
  private final String namespace;
  private final Map<ModelPolicy, Value.Mapping> specs = new HashMap<>();

  /// @param namespace where namespaced manifests are tried
  Oracle(RawApi admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /// What keeps that object from being in force; nothing where it is.
  Optional<String> objection(ModelPolicy modelPolicy, Optional<ObservedObject> there) {
    if (there.isEmpty()) {
      return Optional.of("it is not there");
    }
    var observedObject = there.get();
    if (!observedObject.ours() || observedObject.terminating()) {
      return Optional.of("it is " + observedObject);
    }
    return marks(observedObject)
        .or(() -> content(modelPolicy, observedObject))
        .or(() -> leftOvers(modelPolicy, observedObject));
  }

  /// What an apply would change but for marks; nothing where it would not.
  Optional<String> content(ModelPolicy modelPolicy, ObservedObject observedObject) {
    if (!observedObject.spec().equals(spec(modelPolicy))) {
      return Optional.of(
          "its spec is " + observedObject.spec() + ", and should be " + spec(modelPolicy));
    }
    var metadata = modelPolicy.manifest().mapping("metadata");
    return missing("annotation", metadata.mapping("annotations"), observedObject.annotations())
        .or(() -> missing("label", metadata.mapping("labels"), observedObject.labels()));
  }

  /// Whether anybody but the agent owns a part of its spec, by the API server's plain record.
  static Optional<String> otherOwner(ObservedObject observedObject) {
    return observedObject.metadata().items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> !entry.text("manager").orElse("").equals("kyverno-policy-sync"))
        .filter(entry -> entry.mapping("fieldsV1").field("f:spec").isPresent())
        .map(entry -> "its spec is owned by " + entry.text("manager").orElse("nobody") + " too")
        .findFirst();
  }

  private static Optional<String> marks(ObservedObject observedObject) {
    var annotations = observedObject.annotations();
    var signed =
        annotations
            .getOrDefault(ObservedObject.APPLIED, "")
            .startsWith(observedObject.objectKey().signature() + "@sha256:");
    var marked =
        signed
            && annotations
                .getOrDefault(ObservedObject.SOURCE_MARK, "")
                .equals(observedObject.source())
            && observedObject.labels().getOrDefault(ObservedObject.MANAGED, "").equals("true");
    return marked
        ? Optional.empty()
        : Optional.of("its marks are " + annotations + " and " + observedObject.labels());
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
  private static Optional<String> leftOvers(
      ModelPolicy modelPolicy, ObservedObject observedObject) {
    var metadata = modelPolicy.manifest().mapping("metadata");
    return leftOver("annotations", metadata, observedObject.annotations(), observedObject)
        .or(() -> leftOver("labels", metadata, observedObject.labels(), observedObject));
  }

  private static Optional<String> leftOver(
      String field,
      Value.Mapping wanted,
      SortedMap<String, String> there,
      ObservedObject observedObject) {
    return there.keySet().stream()
        .filter(name -> name.startsWith("feed.example/"))
        .filter(name -> wanted.mapping(field).field(name).isEmpty())
        .filter(name -> !ownedByAnother(observedObject, field, name))
        .map(name -> "its " + name + " is not in the feed any more")
        .findFirst();
  }

  private static boolean ownedByAnother(ObservedObject observedObject, String field, String name) {
    return observedObject.metadata().items("managedFields").stream()
        .map(Value.Mapping.class::cast)
        .filter(entry -> !entry.text("manager").orElse("").equals("kyverno-policy-sync"))
        .map(entry -> entry.mapping("fieldsV1").mapping("f:metadata").mapping("f:" + field))
        .anyMatch(owned -> owned.field("f:" + name).isPresent());
  }

  /// The spec as the API server completes it, by a dry run of creating it under a name of the
  /// server's choice.
  private Value.Mapping spec(ModelPolicy modelPolicy) {
    return specs.computeIfAbsent(modelPolicy, this::ask);
  }

  private Value.Mapping ask(ModelPolicy modelPolicy) {
    var modelKind = modelPolicy.objectKey().modelKind();
    var manifest = modelPolicy.manifest();
    var metadata = manifest.mapping("metadata").without("name").with("generateName", "what-if-");
    var where = modelKind.namespaced() ? namespace : "";
    if (modelKind.namespaced()) {
      metadata = metadata.with("namespace", namespace);
    }
    var object = manifest.with("apiVersion", modelKind.apiVersion()).with("metadata", metadata);
    return admin.post(modelKind.collection(where) + "?dryRun=All", object).ok().mapping("spec");
  }
}
