package dev.policysync.lint;

import dev.policysync.policy.LocatedPolicy;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Places;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A policy that is judged, or that others are judged by.
public final class Subject {
  private final PolicyId id;
  private final Supplier<Node> reading;
  private @Nullable Node root;

  private Subject(PolicyId id, Supplier<Node> reading) {
    this.id = id;
    this.reading = reading;
  }

  /// One of which every place is known.
  public static Subject of(LocatedPolicy policy) {
    return new Subject(
        policy.id(), () -> Node.root(policy.content(), policy.position(), policy.places()));
  }

  /// One of a sync: only where it begins is known, and it is unpacked when somebody looks at it.
  public static Subject of(Policy policy) {
    return new Subject(
        policy.id(), () -> Node.root(policy.content(), policy.position(), new Places()));
  }

  /// Whose policy it is.
  public PolicyId id() {
    return id;
  }

  /// Its kind.
  public PolicyKind kind() {
    return id.kind();
  }

  /// The whole manifest.
  public Node root() {
    var read = root;
    if (read == null) {
      read = reading.get();
      root = read;
    }
    return read;
  }

  /// Lets go of what was read; it is read again when somebody looks at it. The trees of thousands
  /// of policies take more memory than a sync has.
  void release() {
    root = null;
  }

  /// Its spec, which every policy has.
  public Node spec() {
    return root().at("spec").orElseGet(this::root);
  }

  /// An annotation, where it is set to a string.
  public Optional<Node> annotation(String name) {
    return root().at("metadata", "annotations", name).filter(node -> node.text().isPresent());
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
