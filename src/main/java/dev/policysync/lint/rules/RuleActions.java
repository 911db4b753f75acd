package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;
import java.util.stream.Stream;

/// Reports rules with no action, several actions, or an incomplete action.
///
/// Source: Kyverno 1.19, `Rule.ValidateRuleType`, `Validate.validateElements`, `foreachElemCount`,
/// `Mutate.Validate` and `validateForEach`, `validateRuleContext` for CEL.
final class RuleActions implements Rule {
  private static final List<String> ACTIONS =
      List.of("mutate", "validate", "generate", "verifyImages");
  private static final List<String> CHECKS =
      List.of("pattern", "anyPattern", "deny", "foreach", "podSecurity", "cel", "manifests");
  private static final List<String> FOREACH_CHECKS =
      List.of("pattern", "anyPattern", "deny", "foreach");
  private static final List<String> PATCHES = List.of("patchStrategicMerge", "patchesJson6902");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS042",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Rule without exactly one action",
        """
        Kyverno rejects a rule that does not have exactly one of `validate`, `mutate`, `generate` and \
        `verifyImages`. `validate` requires exactly one of `pattern`, `anyPattern`, `deny`, `foreach`, \
        `podSecurity`, `cel` and `manifests`; an item of its `foreach` a `list` and exactly one check; `mutate` not \
        both patches, nor a patch beside `foreach`. `celPreconditions` are only for `validate.cel`, `context` is \
        not, and `imageExtractors` are only for `verifyImages`.\
        """,
        "Split the rule, or complete it.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var actions = ACTIONS.stream().flatMap(name -> present(rule.node(), name)).toList();
      if (actions.isEmpty()) {
        found.at(
            rule.node(),
            rule.label()
                + " has none of validate, mutate, generate and verifyImages; Kyverno rejects it");
      } else if (actions.size() > 1) {
        found.at(
            actions.get(1),
            rule.label()
                + " has both "
                + actions.getFirst().name()
                + " and "
                + actions.get(1).name()
                + "; Kyverno rejects it",
            "Use a rule for each.");
      } else {
        judgeAction(rule, actions.getFirst(), found);
      }
    }
  }

  private static Stream<Node> present(Node node, String name) {
    return node.at(name).filter(child -> child.children().findAny().isPresent()).stream();
  }

  private static void judgeAction(LegacyRule rule, Node action, LintFindingSink found) {
    var node = rule.node();
    if (!action.name().equals("verifyImages")) {
      node.at("imageExtractors")
          .ifPresent(
              it -> refused(it, rule.label() + " has imageExtractors without verifyImages", found));
    }
    if (!action.name().equals("verifyImages") && !action.has("cel")) {
      node.at("celPreconditions")
          .ifPresent(it ->
              refused(it, rule.label() + " has celPreconditions without validate.cel", found));
    }
    switch (action.name()) {
      case "validate" -> judgeValidate(rule, action, found);
      case "mutate" -> judgeMutate(rule, action, found);
      default -> {}
    }
  }

  private static void judgeValidate(LegacyRule rule, Node validate, LintFindingSink found) {
    var checks = CHECKS.stream().flatMap(name -> validate.at(name).stream()).toList();
    if (checks.isEmpty()) {
      refused(
          validate,
          rule.label() + " validates nothing: one of " + String.join(", ", CHECKS) + " is required",
          found);
    } else if (checks.size() > 1) {
      refused(
          checks.get(1),
          rule.label() + " has both " + checks.getFirst().name() + " and " + checks.get(1).name(),
          found);
    }
    validate.items("foreach").forEach(each -> judgeForeach(rule, each, found));
    if (validate.has("cel") && !rule.node().items("context").isEmpty()) {
      rule.node()
          .at("context")
          .ifPresent(
              it -> refused(it, rule.label() + " has a context, which CEL cannot use", found));
    }
  }

  private static void judgeForeach(LegacyRule rule, Node each, LintFindingSink found) {
    if (each.text("list").filter(list -> !list.isEmpty()).isEmpty()) {
      refused(each, rule.label() + " has a foreach without a list", found);
    }
    var checks = FOREACH_CHECKS.stream().flatMap(name -> each.at(name).stream()).toList();
    if (checks.size() != 1) {
      refused(
          checks.isEmpty() ? each : checks.get(1),
          rule.label()
              + " has a foreach with "
              + (checks.isEmpty() ? "none" : "more than one")
              + " of "
              + String.join(", ", FOREACH_CHECKS),
          found);
    }
  }

  private static void judgeMutate(LegacyRule rule, Node mutate, LintFindingSink found) {
    var patches = PATCHES.stream().flatMap(name -> mutate.at(name).stream()).toList();
    var each = mutate.items("foreach");
    if (patches.size() > 1 || (!each.isEmpty() && !patches.isEmpty())) {
      refused(
          patches.getLast(),
          rule.label() + " has more than one of foreach, patchStrategicMerge and patchesJson6902",
          found);
    }
    each.stream()
        .flatMap(RuleActions::leaves)
        .forEach(item -> {
          if (PATCHES.stream().filter(item::has).count() != 1) {
            refused(
                item,
                rule.label()
                    + " has a foreach without exactly one of patchStrategicMerge and patchesJson6902",
                found);
          }
        });
  }

  private static Stream<Node> leaves(Node each) {
    var nested = each.items("foreach");
    return nested.isEmpty() ? Stream.of(each) : nested.stream().flatMap(RuleActions::leaves);
  }

  private static void refused(Node node, String what, LintFindingSink found) {
    found.at(node, what + "; Kyverno rejects it");
  }
}
