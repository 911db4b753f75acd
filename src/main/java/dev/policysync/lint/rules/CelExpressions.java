package dev.policysync.lint.rules;

import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import java.util.Set;
import java.util.stream.Stream;

/// Finds the CEL expressions of a policy.
final class CelExpressions {
  private static final Set<String> NAMES =
      Set.of("expression", "messageExpression", "valueExpression");

  private CelExpressions() {}

  /// Returns every expression of a policy, except the match conditions of a ClusterPolicy's webhook
  /// (see [MatchConditions]).
  static Stream<Node> of(LintedPolicy policy) {
    if (LegacyPolicy.of(policy).isPresent()) {
      return LegacyPolicy.rulesOf(policy).stream()
          .flatMap(rule ->
              Stream.concat(
                  rule.node().at("validate", "cel").stream(),
                  rule.node().at("celPreconditions").stream()))
          .flatMap(CelExpressions::below);
    }
    return policy.kind().usesCel() ? below(policy.spec()) : Stream.empty();
  }

  static Stream<Node> below(Node node) {
    if (NAMES.contains(node.name()) && node.text().isPresent()) {
      return Stream.of(node);
    }
    return node.children()
        .filter(child -> !child.name().equals("template")) // not part of the policy itself
        .flatMap(CelExpressions::below);
  }
}
