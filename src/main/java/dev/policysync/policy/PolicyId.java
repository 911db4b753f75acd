package dev.policysync.policy;

import java.util.Optional;

/// The identity of one policy. Policies that differ in group, kind, namespace or name are different
/// policies.
///
/// Messages show it as `ClusterPolicy/team-label` or `Policy/shop/team-label`. Annotations contain
/// the unambiguous form, [#key()].
public record PolicyId(PolicyKind kind, Optional<String> namespace, String name)
    implements Comparable<PolicyId> {
  public PolicyId {
    if (kind.namespaced() != namespace.isPresent()) {
      throw new IllegalArgumentException(
          kind + " " + name + (kind.namespaced() ? " needs a namespace" : " has no namespace"));
    }
    if (name.isEmpty()) {
      throw new IllegalArgumentException(kind + " without a name");
    }
  }

  public static PolicyId of(PolicyKind kind, String name) {
    return new PolicyId(kind, Optional.empty(), name);
  }

  public static PolicyId of(PolicyKind kind, String namespace, String name) {
    return new PolicyId(kind, Optional.of(namespace), name);
  }

  /// Parses a [#key()]. Empty if the text is not a key, or if its kind is not a [PolicyKind].
  public static Optional<PolicyId> ofKey(String key) {
    var parts = key.split("/", -1);
    var group = parts[0].indexOf('.');
    if (group < 0 || parts.length < 2 || parts.length > 3 || parts[parts.length - 1].isEmpty()) {
      return Optional.empty();
    }
    return PolicyKind.of(parts[0].substring(group + 1), parts[0].substring(0, group))
        .filter(kind -> kind.namespaced() == (parts.length == 3))
        .map(kind ->
            new PolicyId(
                kind,
                kind.namespaced() ? Optional.of(parts[1]) : Optional.empty(),
                parts[parts.length - 1]));
  }

  /// Returns the identity with the group: `ClusterPolicy.kyverno.io/team-label`.
  public String key() {
    return kind.qualified() + "/" + path();
  }

  /// Returns the namespace and name without the kind: `team-label` or `shop/team-label`.
  public String path() {
    return namespace.map(ns -> ns + "/").orElse("") + name;
  }

  /// Compares by kind, namespace and name. A composed comparator would need a handful of classes
  /// that the JVM would have to create at each start.
  @Override
  public int compareTo(PolicyId other) {
    var byKind = kind.compareTo(other.kind);
    if (byKind != 0) {
      return byKind;
    }
    var byNamespace = namespace.orElse("").compareTo(other.namespace.orElse(""));
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /// Written out, because the JVM assembles a record's own method anew at each start, and that
  /// method is slow without the optimizing compiler. Every map of policies calls it.
  @Override
  public boolean equals(Object other) {
    return other instanceof PolicyId id
        && kind == id.kind
        && name.equals(id.name)
        && namespace.equals(id.namespace);
  }

  @Override
  public int hashCode() {
    return (kind.hashCode() * 31 + namespace.hashCode()) * 31 + name.hashCode();
  }

  @Override
  public String toString() {
    return kind.label() + "/" + path();
  }
}
