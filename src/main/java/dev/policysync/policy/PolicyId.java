package dev.policysync.policy;

import java.util.Optional;

/// Names one policy: two that differ in group, kind, namespace or name are two policies.
///
/// People read it as `ClusterPolicy/team-label` or `Policy/shop/team-label`; its unmistakable form,
/// kept in annotations, is [#key()].
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

  /// A policy of a kind that lives in no namespace.
  public static PolicyId of(PolicyKind kind, String name) {
    return new PolicyId(kind, Optional.empty(), name);
  }

  /// A policy of a namespaced kind.
  public static PolicyId of(PolicyKind kind, String namespace, String name) {
    return new PolicyId(kind, Optional.of(namespace), name);
  }

  /// The policy that [#key()] names; empty where the text is no such key, or of a kind that is not
  /// ours.
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

  /// The same with the group always in it: `ClusterPolicy.kyverno.io/team-label`.
  public String key() {
    return kind.qualified() + "/" + path();
  }

  /// Where it is, without its kind: `team-label` or `shop/team-label`.
  public String path() {
    return namespace.map(ns -> ns + "/").orElse("") + name;
  }

  /// By kind, namespace and name. Written out: a composed comparator is a handful of classes that
  /// each start would have to make.
  @Override
  public int compareTo(PolicyId other) {
    var byKind = kind.compareTo(other.kind);
    if (byKind != 0) {
      return byKind;
    }
    var byNamespace = namespace.orElse("").compareTo(other.namespace.orElse(""));
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /// Written out as well: what Java makes for a record is assembled anew by each start, and slow
  /// without the optimizing compiler. Every map of policies asks for it.
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
