package dev.policysync.lint;

import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.kyverno.Admission;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A policy that a rule lints, or looks up to lint another policy.
public final class LintedPolicy {
  private final PolicyId id;
  private final PolicyId ofFeed;
  private final Supplier<Node> rootSupplier;
  private @Nullable Node root;

  private LintedPolicy(PolicyId id, PolicyId ofFeed, Supplier<Node> reading) {
    this.id = id;
    this.ofFeed = ofFeed;
    this.rootSupplier = reading;
  }

  /// Returns a policy with the position of every node.
  public static LintedPolicy of(LocatedPolicy policy) {
    return new LintedPolicy(
        policy.id(),
        policy.id(),
        () -> Node.root(policy.content(), policy.position(), policy.nodeLocations()));
  }

  /// Returns a policy of a sync. Only the position of its start is known, and its content is
  /// unpacked when a rule reads it.
  public static LintedPolicy of(Policy policy) {
    return new LintedPolicy(
        policy.id(),
        policy.ofFeed(),
        () -> Node.root(policy.content(), policy.position(), new NodeLocations()));
  }

  public PolicyId id() {
    return id;
  }

  /// Returns the policy of the feed that this one was made from; itself, unless it is a successor.
  public PolicyId ofFeed() {
    return ofFeed;
  }

  public PolicyKind kind() {
    return id.kind();
  }

  public PolicyKind.Type type() {
    return id.kind().type();
  }

  /// Returns whether this is a ClusterPolicy or a Policy.
  public boolean hasRules() {
    return type() == PolicyKind.Type.RULES;
  }

  /// Returns whether this is a policy, or an exception, in CEL that Kyverno executes.
  public boolean isCelOfKyverno() {
    return kind().usesCel() && !kind().builtIn();
  }

  /// Returns whether background scans evaluate existing objects, which is the default of a policy
  /// with rules.
  public boolean background() {
    return !spec().isFalse("background");
  }

  /// Returns whether requests are rejected while Kyverno does not answer. This is the default of a
  /// policy that evaluates requests.
  public boolean failsClosed() {
    return Admission.judgesAndFailsClosed(type(), spec().mapping());
  }

  /// Returns whether this is a CEL policy that rejects violations. Missing `validationActions` mean
  /// Deny.
  public boolean denies() {
    return type().validatesByCel()
        && EffectiveActionResolver.ofActions(spec().mapping()).blocksSomewhere();
  }

  /// Returns the rules by which a CEL policy, of Kyverno or of the API server, selects resources.
  public Stream<Node> resourceRules() {
    return kind().usesCel() && kind().role() == PolicyKind.Role.POLICY
        ? spec().all("matchConstraints.resourceRules[]")
        : Stream.empty();
  }

  /// Returns the resources that a CEL policy selects: `pods`.
  public Stream<Node> resources() {
    return resourceRules().flatMap(rule -> rule.items("resources").stream());
  }

  public Node root() {
    var read = root;
    if (read == null) {
      read = rootSupplier.get();
      root = read;
    }
    return read;
  }

  /// Releases the nodes; they are read again when a rule needs them. The nodes of thousands of
  /// policies take more memory than a sync has.
  void releaseNodes() {
    root = null;
  }

  /// Returns the spec, or the whole manifest if the spec is missing.
  public Node spec() {
    return root().atOrSelf("spec");
  }

  /// Returns an annotation if its value is a string.
  public Optional<Node> annotation(String name) {
    return root().at("metadata", "annotations", name).filter(Node::isText);
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
