package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import java.util.stream.Stream;

/// Reports generate rules that trigger themselves.
final class GenerateLoop implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS010",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Generate rule triggers itself",
        """
        A generate rule that matches the kind it generates, or all kinds, is triggered by its own result: each \
        object creates an update request, which creates an object (e.g. kyverno#10049). Kyverno rejects only some \
        of these policies.\
        """,
        "Trigger on another kind, e.g. Namespace, or restrict match by name, namespace or label"
            + " so that generated objects do not match.");
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
              rule.label() + " is triggered by all objects, including those that it generates");
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

  /// Returns whether a condition or filter may keep generated objects from triggering the rule.
  private static boolean narrow(LegacyRule rule) {
    return rule.node().has("preconditions")
        || rule.filters()
            .anyMatch(resourceFilter ->
                resourceFilter.asksForNamespace() || resourceFilter.asksForObject());
  }
}
