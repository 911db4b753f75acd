package dev.policysync.lint.rules;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule.Check;
import dev.policysync.policy.kyverno.EffectiveAction;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.EnforcementLevel;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A rule of a ClusterPolicy or a Policy.
record LegacyRule(LintedPolicy policy, Node node) {
  /// Returns a check that judges each rule of a ClusterPolicy or a Policy.
  static Check each(BiConsumer<LegacyRule, LintFindingSink> check) {
    return (policy, found) -> of(policy).forEach(rule -> check.accept(rule, found));
  }

  /// Returns the rules of a policy; none if it is of another kind.
  static List<LegacyRule> of(LintedPolicy policy) {
    return policy.hasRules()
        ? policy.spec().items("rules").stream().map(node -> new LegacyRule(policy, node)).toList()
        : List.of();
  }

  /// Returns the blocks of some `match` and `exclude` that pass `which`.
  static Stream<Node> blocks(Stream<Node> matchAndExclude, Predicate<ResourceFilter> which) {
    return matchAndExclude.flatMap(whole ->
        ResourceFilter.of(whole.mapping()).stream()
            .filter(which)
            .flatMap(filter -> whole.at(filter.path()).stream()));
  }

  static Stream<Node> kinds(Stream<Node> matchAndExclude, Predicate<ResourceFilter> which) {
    return blocks(matchAndExclude, which).flatMap(block -> block.all("resources.kinds[]"));
  }

  /// Returns the rule's name for messages: `rule "no-latest"`.
  String label() {
    var name = node.text("name");
    return name.isEmpty() ? "the rule without a name" : "rule \"" + name + "\"";
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

  /// Returns the nodes of the kinds that the rule matches.
  List<Node> kindNodes() {
    return kinds(node.all("match"), _ -> true).toList();
  }

  /// Returns the nodes of the kinds that the rule matches or excludes.
  Stream<Node> allKindNodes() {
    return kinds(node.all("match", "exclude"), _ -> true);
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
        .within(policy.id().namespace());
  }
}
