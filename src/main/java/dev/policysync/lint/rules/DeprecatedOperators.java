package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Reports deprecated operators in conditions.
final class DeprecatedOperators implements Rule {
  private static final Map<String, String> SUCCESSORS =
      Map.of(
          "In", "AnyIn or AllIn",
          "NotIn", "AnyNotIn or AllNotIn",
          "Equal", "Equals",
          "NotEqual", "NotEquals");
  private static final Set<String> CONDITIONS = Set.of("conditions", "preconditions");

  /// The fields whose content a rule compares with, generates or patches. An operator in them is
  /// not Kyverno's.
  private static final Set<String> FREE_FORM_FIELDS =
      Set.of(
          "match",
          "exclude",
          "pattern",
          "anyPattern",
          "podSecurity",
          "data",
          "patchStrategicMerge",
          "patchesJson6902",
          "selector",
          "value");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS021",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Deprecated condition operator",
        """
        `In`, `NotIn`, `Equal` and `NotEqual` are deprecated in conditions and preconditions. `In` and `NotIn` do \
        not state whether all or any items of a list must match, unlike their successors; the schema of newer \
        versions no longer contains `Equal` and `NotEqual`. Operators in label selectors (`matchExpressions`) and in \
        patterns are not affected.\
        """,
        "Use AnyIn or AllIn, AnyNotIn or AllNotIn, Equals, NotEquals.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!policy.kind().usesCel()) {
      conditions(policy.spec())
          .flatMap(DeprecatedOperators::operators)
          .forEach(operator ->
              operator
                  .text()
                  .filter(SUCCESSORS::containsKey)
                  .ifPresent(old ->
                      found.at(
                          operator,
                          "the operator " + old + " is deprecated",
                          "Use " + SUCCESSORS.get(old) + ".")));
    }
  }

  private static Stream<Node> conditions(Node node) {
    return CONDITIONS.contains(node.name())
        ? Stream.of(node)
        : below(node).flatMap(DeprecatedOperators::conditions);
  }

  private static Stream<Node> operators(Node node) {
    return node.name().equals("operator")
        ? Stream.of(node)
        : below(node).flatMap(DeprecatedOperators::operators);
  }

  private static Stream<Node> below(Node node) {
    return node.children().filter(child -> !FREE_FORM_FIELDS.contains(child.name()));
  }
}
