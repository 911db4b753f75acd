package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.JmesPath;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.List;

/// Reports JMESPath expressions that do not parse.
///
/// Source: Kyverno 1.19, `MockContext.Query`, `validateVariable`, `validateAPICall`,
/// `validateGlobalReference`, `GlobalContextEntryProjection.Validate`; the grammar is
/// <https://jmespath.org/specification.html>.
final class JmesPathSyntax implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS051",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "JMESPath does not parse",
        """
        What stands between `{{` and `}}` in a rule, and every `jmesPath` of its context, is JMESPath, e.g. with \
        back-quotes around JSON, single quotes around texts and double quotes around names with a hyphen. Kyverno \
        rejects a policy with an expression that does not parse. Only `lint` checks this.\
        """,
        "Fix the expression.");
  }

  @Override
  public boolean lintOnly() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      Variables.in(rule.node())
          .filter(variable -> !variable.query().equals("@"))
          .forEach(variable -> judge(variable.node(), variable.query(), found));
      rule.node().items("context").stream()
          .flatMap(entry ->
              List.of("variable", "apiCall", "globalReference", "imageRegistry").stream()
                  .flatMap(name -> entry.at(name, "jmesPath").stream()))
          .filter(path ->
              path.text().filter(text -> !text.isEmpty() && !Variables.has(text)).isPresent())
          .forEach(path -> judge(path, path.text().orElse(""), found));
    }
    if (policy.kind().type() == PolicyKind.Type.CONTEXT_ENTRY) {
      policy.spec().items("projections").stream()
          .flatMap(projection -> projection.at("jmesPath").stream())
          .forEach(path -> judge(path, path.text().orElse(""), found));
    }
  }

  private static void judge(Node node, String query, LintFindingSink found) {
    JmesPath.problem(query)
        .ifPresent(problem ->
            found.at(node, "the JMESPath " + shown(query) + " does not parse: " + problem));
  }

  private static String shown(String query) {
    return query.length() <= 60 ? query : query.substring(0, 60) + "…";
  }
}
