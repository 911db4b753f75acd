package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.KindName;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import java.util.stream.Stream;

/// Generate rules that set themselves off.
final class GenerateLoop implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS010",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "A generate rule that may set itself off",
        """
        A generate rule whose trigger is of the kind that it generates is set off by its own result, and so is one \
        that matches every kind: each object makes an update request, which makes an object (kyverno#10049 is such \
        a flood). Kyverno refuses some of these policies, and only some.\
        """,
        "Trigger on another kind, such as Namespace, or narrow match by name, namespace or label so that what is"
            + " generated does not match.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (!rule.node().has("generate")) {
        continue;
      }
      var targets = targets(rule).toList();
      for (var trigger : rule.kindNodes()) {
        var kind = KindName.of(trigger.text().orElse(""));
        if (kind.isWildcard()) {
          found.at(
              trigger,
              LintSeverity.ERROR,
              rule.label() + " generates for every object there is, for what it generates as well");
        } else if (targets.contains(kind.kind()) && !narrow(rule)) {
          found.at(
              trigger,
              rule.label()
                  + " is triggered by a "
                  + kind.kind()
                  + " and generates a "
                  + kind.kind()
                  + ", which triggers it again");
        }
      }
    }
  }

  private static Stream<String> targets(LegacyRule rule) {
    return GenerateTarget.targets(rule)
        .flatMap(GenerateLoop::kinds)
        .map(KindName::of)
        .map(KindName::kind);
  }

  private static Stream<String> kinds(Node target) {
    return Stream.concat(target.text("kind").stream(), target.texts("cloneList", "kinds").stream());
  }

  /// Something tells the trigger from what it makes.
  private static boolean narrow(LegacyRule rule) {
    return rule.node().has("preconditions")
        || rule.filters()
            .anyMatch(resourceFilter ->
                resourceFilter.asksForNamespace() || resourceFilter.asksForObject());
  }
}
