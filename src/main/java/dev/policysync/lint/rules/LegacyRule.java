package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import dev.policysync.policy.kyverno.EffectiveAction;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.EnforcementLevel;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A rule of a `ClusterPolicy` or a `Policy`.
record LegacyRule(LegacyPolicy policy, Node node) {
  /// Returns the rule's name for messages: `rule "no-latest"`.
  String label() {
    return node.text("name")
        .filter(name -> !name.isEmpty())
        .map(name -> "rule \"" + name + "\"")
        .orElse("the rule without a name");
  }

  List<ResourceFilter> match() {
    return ResourceFilter.of(node.mapping().mapping("match"));
  }

  List<ResourceFilter> exclude() {
    return ResourceFilter.of(node.mapping().mapping("exclude"));
  }

  Stream<ResourceFilter> filters() {
    return Stream.concat(match().stream(), exclude().stream());
  }

  List<KindName> kinds() {
    return match().stream().flatMap(resourceFilter -> resourceFilter.kinds().stream()).toList();
  }

  List<Node> kindNodes() {
    return FilterNodes.kinds(node.at("match"), _ -> true).toList();
  }

  /// Returns whether the rule may block violations in at least one namespace.
  boolean blocks() {
    return effectiveAction().blocksSomewhere();
  }

  /// Returns the node of the action that makes the rule block in `namespace`; empty if the rule
  /// cannot block there.
  Optional<Node> blocksIn(String namespace) {
    if (effectiveAction().in(namespace) == EnforcementLevel.NO) {
      return Optional.empty();
    }
    return EffectiveActionResolver.statements(policy.spec().mapping(), node.mapping()).stream()
        .filter(statement -> statement.says().blocks())
        .filter(statement -> statement.says().holdsIn(namespace) != EnforcementLevel.NO)
        .findFirst()
        .flatMap(
            statement -> node.at(statement.path()).or(() -> policy.spec().at(statement.path())));
  }

  private EffectiveAction effectiveAction() {
    return EffectiveActionResolver.ofRule(policy.spec().mapping(), node.mapping())
        .within(policy.lintedPolicy().id().namespace());
  }
}
