package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.cel.Cel;
import java.util.stream.Stream;

/// CEL that has to be a condition and is none.
///
/// Source: Kyverno 1.19, `compiler.CompileValidation`, `CompileMatchCondition`.
final class CelConditions implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS055",
        LintSeverity.ERROR,
        AffectedVersions.since("1.14"),
        "CEL expression is not a condition",
        """
        The expressions of `validations`, `matchConditions` and `conditions` have to be of type boolean. Kyverno \
        rejects a policy with another one: a text, a number, a list, or a part of the object alone, such as \
        `object.spec.paused`, whose type is not known in advance. Only `lint` and a sync with `LINT=block` check \
        this, for what can be seen without types.\
        """,
        "Compare the value, e.g. with == true.");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!policy.kind().usesCel() || policy.kind().builtIn()) {
      return;
    }
    Stream.of("validations", "matchConditions", "targetMatchConditions", "conditions")
        .flatMap(field -> policy.spec().items(field).stream())
        .flatMap(item -> item.at("expression").stream())
        .filter(node ->
            Cel.read(node.text().orElse("true")) instanceof Cel.Sound sound && !sound.condition())
        .forEach(node ->
            found.at(
                node, "the expression is not a condition, but another value; Kyverno rejects it"));
  }
}
