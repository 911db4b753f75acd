package dev.policysync.statemachine;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which object: two that differ in group, kind, namespace or name are two (promise 1).
///
/// @param namespace empty where the kind lives in none
record ObjectKey(ModelKind modelKind, String namespace, String name)
    implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::modelKind)
          .thenComparing(ObjectKey::namespace)
          .thenComparing(ObjectKey::name);

  static ObjectKey of(ModelKind modelKind, Value.Mapping object) {
    var metadata = object.mapping("metadata");
    return new ObjectKey(
        modelKind, metadata.text("namespace").orElse(""), metadata.text("name").orElseThrow());
  }

  /// The object that a request is for; nothing where it is of no kind that the machine plays with.
  static Optional<ObjectKey> at(String urlPath) {
    var parts = List.of(urlPath.split("/"));
    return Stream.of(ModelKind.values())
        .filter(modelKind -> modelKind.owns(urlPath))
        .map(modelKind ->
            new ObjectKey(
                modelKind,
                modelKind.namespaced() ? parts.get(parts.indexOf("namespaces") + 1) : "",
                parts.getLast()))
        .findFirst();
  }

  /// What the agent speaks of; nothing where it is of no kind that the machine plays with.
  boolean is(PolicyId id) {
    return id.key().equals(signature());
  }

  /// Whether it takes the other one's place once the feed has it and not the other: the name moves
  /// from kind to kind.
  boolean isToReplace(ObjectKey other) {
    return name.equals(other.name) && modelKind != other.modelKind;
  }

  /// `/apis/kyverno.io/v1/clusterpolicies/a`.
  String url() {
    return modelKind.collection(namespace) + "/" + name;
  }

  /// How an object says in an annotation that it is this one: `Policy.kyverno.io/shop/team-label`.
  String signature() {
    return modelKind.qualified() + "/" + path();
  }

  private String path() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }

  /// As the agent's messages name it.
  @Override
  public String toString() {
    return modelKind.kind().equals("PolicyException")
        ? signature()
        : modelKind.kind() + "/" + path();
  }
}
