package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.Cel;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Reports CEL expressions that use a variable which the policy does not define.
final class MissingVariable implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS038",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Undefined CEL variable",
        """
        `variables.name` refers to an expression in the policy's `variables` (in `validate.cel` for a \
        ClusterPolicy); within these, to an earlier one. If it is undefined, the expression does not compile: the API server rejects a \
        ValidatingAdmissionPolicy or MutatingAdmissionPolicy, and a Kyverno policy does not become ready. Usually \
        the variable was renamed. Only `lint` and a sync with `LINT=block` check this.\
        """,
        "Define the variable, or correct its name.");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (LegacyPolicy.of(policy).isPresent()) {
      for (var rule : LegacyPolicy.rulesOf(policy)) {
        rule.node().at("validate", "cel").ifPresent(cel -> judge(cel, found));
      }
    } else if (policy.kind().usesCel()
        && policy.kind().type() != PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      judge(policy.spec(), found);
    }
  }

  /// Checks the expressions of a policy. A variable can use the variables defined before it.
  private static void judge(Node cel, LintFindingSink found) {
    Set<String> defined = new HashSet<>();
    for (var variable : cel.items("variables")) {
      variable.at("expression").ifPresent(text -> judge(text, defined, found));
      variable.text("name").ifPresent(defined::add);
    }
    CelExpressions.below(cel)
        .filter(text -> !text.path().contains(".variables["))
        .forEach(text -> judge(text, defined, found));
  }

  private static void judge(Node text, Set<String> defined, LintFindingSink found) {
    missing(text, defined)
        .ifPresent(name ->
            found.at(
                text,
                text.text().orElse("").indexOf("variables." + name),
                "variable " + name + " is not defined"));
  }

  private static Optional<String> missing(Node text, Set<String> defined) {
    return Cel.read(text.text().orElse("")) instanceof Cel.Parsed(_, var variables, _, _, _)
        ? variables.stream().filter(name -> !defined.contains(name)).sorted().findFirst()
        : Optional.empty();
  }
}
