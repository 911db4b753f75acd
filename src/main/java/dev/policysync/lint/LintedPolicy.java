package dev.policysync.lint;

import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A policy that is judged, or that others are judged by.
public final class LintedPolicy {
  private final PolicyId id;
  private final Supplier<Node> reading;
  private @Nullable Node root;

  private LintedPolicy(PolicyId id, Supplier<Node> reading) {
    this.id = id;
    this.reading = reading;
  }

  /// One of which every place is known.
  public static LintedPolicy of(LocatedPolicy policy) {
    return new LintedPolicy(
        policy.id(), () -> Node.root(policy.content(), policy.position(), policy.nodeLocations()));
  }

  /// One of a sync: only where it begins is known, and it is unpacked when somebody looks at it.
  public static LintedPolicy of(Policy policy) {
    return new LintedPolicy(
        policy.id(), () -> Node.root(policy.content(), policy.position(), new NodeLocations()));
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
