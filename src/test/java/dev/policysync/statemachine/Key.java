package dev.policysync.statemachine;

import dev.policysync.policy.PolicyId;
import dev.policysync.yaml.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which object: two that differ in group, kind, namespace or name are two (promise 1).
///
/// @param namespace empty where the kind lives in none
record Key(Kind kind, String namespace, String name) implements Comparable<Key> {
  private static final Comparator<Key> ORDER =
      Comparator.comparing(Key::kind).thenComparing(Key::namespace).thenComparing(Key::name);

  static Key of(Kind kind, Value.Mapping object) {
    var metadata = object.mapping("metadata");
    return new Key(
        kind, metadata.text("namespace").orElse(""), metadata.text("name").orElseThrow());
  }

  /// The object that a request is for; nothing where it is of no kind that the machine plays with.
  static Optional<Key> at(String urlPath) {
    var parts = List.of(urlPath.split("/"));
    return Stream.of(Kind.values())
        .filter(kind -> kind.owns(urlPath))
        .map(kind ->
            new Key(
                kind,
                kind.namespaced() ? parts.get(parts.indexOf("namespaces") + 1) : "",
                parts.getLast()))
        .findFirst();
  }

  /// What the agent speaks of; nothing where it is of no kind that the machine plays with.
  boolean is(PolicyId id) {
    return id.key().equals(signature());
  }

  /// `/apis/kyverno.io/v1/clusterpolicies/a`.
  String url() {
    return kind.collection(namespace) + "/" + name;
  }

  /// How an object says in an annotation that it is this one: `Policy.kyverno.io/shop/team-label`.
  String signature() {
    return kind.qualified() + "/" + path();
  }

  private String path() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  @Override
  public int compareTo(Key other) {
    return ORDER.compare(this, other);
  }

  /// As the agent's messages name it.
  @Override
  public String toString() {
    return kind.kind().equals("PolicyException") ? signature() : kind.kind() + "/" + path();
  }
}
