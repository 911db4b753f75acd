package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.stream.Stream;

/// Reports actions in lower case: `enforce`, `audit`.
final class LowerCaseAction implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS039",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Action in lower case",
        """
        The actions are `Enforce` and `Audit`. In lower case they are deprecated in `spec` and in overrides, where \
        Kyverno warns on every write (reported as a warning), and invalid in the `failureAction` of a rule: the API \
        server rejects the policy, usually after the field was moved there with its old value.\
        """,
        "Use Enforce or Audit.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var legacy : LegacyPolicy.of(policy).stream().toList()) {
      Stream.concat(
              legacy.spec().at("validationFailureAction").stream(),
              actions(legacy.spec().items("validationFailureActionOverrides").stream()))
          .forEach(action -> judge(action, LintSeverity.WARNING, "is deprecated", found));
      for (var rule : legacy.rules()) {
        actions(rule.node().items("validate", "failureActionOverrides").stream())
            .forEach(action -> judge(action, LintSeverity.WARNING, "is deprecated", found));
        Stream.concat(
                rule.node().at("validate").stream(), rule.node().items("verifyImages").stream())
            .flatMap(part -> part.at("failureAction").stream())
            .forEach(action ->
                judge(action, LintSeverity.ERROR, "is rejected by the API server", found));
      }
    }
  }

  private static Stream<Node> actions(Stream<Node> overrides) {
    return overrides.flatMap(override -> override.at("action").stream());
  }

  private static void judge(
      Node action, LintSeverity lintSeverity, String what, LintFindingSink found) {
    if (action.isText("enforce") || action.isText("audit")) {
      found.at(action, lintSeverity, "\"" + action.text().orElse("") + "\" in lower case " + what);
    }
  }
}
