package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.LintSeverity.WARNING;

import dev.policysync.lint.KyvernoSchemas;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Rule.Trait;
import dev.policysync.lint.Violation;
import dev.policysync.lint.expression.JmesPath;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.PolicySize;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;
import java.util.Set;

/// Rules that need a library which no sync loads: JSON Schema and JMESPath.
final class LintOnly {
  private LintOnly() {}

  static List<Rule> rules() {
    return List.of(SCHEMA, JMESPATH);
  }

  private static final Rule SCHEMA =
      Rule.error(
              "PS041",
              "Field or value that the schema rejects",
              """
              The API server judges a policy by the schema of its CRD: an unknown or misspelt field, a value of another \
              type, one that is not in a list of values, a missing field. A sync, which applies on the server, fails with \
              such a policy; `kubectl apply` on the client fails with it or, with `--validate=false`, loses the field.

              The schemas are those of Kyverno 1.13.4, 1.14.4, 1.15.2, 1.17.1, 1.18.2 and 1.19.1; 1.16 is judged by those \
              of 1.17, and a policy is judged by those of 1.19 if no release is given. A version that the release does \
              not serve is a warning, as a sync chooses one that it serves, and so is everything with a release after \
              1.19, which may have more fields. A version that no release serves is an error. Only `lint` checks this.

              A policy of more than 1.5 MiB is rejected by etcd with its default settings.\
              """,
              "Correct the field or its value.",
              LintOnly::judgeBySchema,
              Trait.LINT_ONLY)
          .since("1.13");

  private static void judgeBySchema(LintedPolicy policy, LintFindingSink found) {
    var size = PolicySize.of(policy.root().mapping());
    if (PolicySize.exceedsLimit(size)) {
      found.at(
          policy.root(),
          PolicySize.limitExceededMessage(size),
          "Split its rules into several policies.");
    }
    if (policy.kind().builtIn()) {
      return;
    }
    var schemas = KyvernoSchemas.bundled();
    schemas
        .schemaReleaseFor(found.kyvernoRelease())
        .ifPresent(release -> judgeBySchema(policy, schemas, release, found));
  }

  private static void judgeBySchema(
      LintedPolicy policy, KyvernoSchemas schemas, KyvernoVersion release, LintFindingSink found) {
    var kind = policy.kind();
    var root = policy.root();
    var given = found.kyvernoRelease();
    var apiVersion = root.text("apiVersion");
    var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    var served = schemas.servedVersions(release, kind);
    var judgedBy = release;
    if (!served.contains(version) && given.isEmpty()) {
      // No release is given, and an older one may serve this version.
      judgedBy =
          schemas.releases().stream()
              .filter(known -> schemas.servedVersions(known, kind).contains(version))
              .findFirst()
              .orElse(release);
      served = schemas.servedVersions(judgedBy, kind);
    }
    var kyverno = "Kyverno " + release.major() + "." + release.minor();
    if (served.isEmpty()) {
      found.at(
          root.atOrSelf("kind"),
          kyverno + " has no " + kind.kind() + " in " + kind.group(),
          "Use a kind that this release has, or upgrade Kyverno.");
      return;
    }
    var best =
        kind.versions().stream().filter(served::contains).findFirst().orElse(served.getFirst());
    if (!served.contains(version)) {
      // If no release is given, no release serves this version, so it was never applied.
      found.at(
          root.atOrSelf("apiVersion"),
          given.isEmpty() ? ERROR : WARNING,
          kyverno + " does not serve " + kind.kind() + " in " + apiVersion,
          "Use " + kind.group() + "/" + best + ".");
    }
    var newest = schemas.newest();
    var later =
        given.filter(it -> it.minor() > newest.minor() || it.major() > newest.major()).isPresent();
    schemas
        .violations(judgedBy, kind, served.contains(version) ? version : best, root.mapping())
        .filter(violation -> !reportedByOtherRule(violation, root))
        .forEach(violation -> report(violation, root, later ? WARNING : ERROR, found));
  }

  private static void report(
      Violation violation, Node root, LintSeverity severity, LintFindingSink found) {
    var node = root.at(violation.path()).orElse(root);
    if (violation.keyword().equals("additionalProperties")) {
      found.at(
          node.atOrSelf(violation.field()),
          severity,
          violation.message(),
          "Correct or remove the field.");
    } else {
      var path = node.path().isEmpty() ? "the policy" : node.path();
      found.at(node, severity, path + ": " + violation.message());
    }
  }

  /// Returns whether another rule reports the violation: rule names are PS009, a missing match is
  /// PS043, actions in lower case are PS039.
  private static boolean reportedByOtherRule(Violation violation, Node root) {
    var path = violation.path();
    var inRules = path.size() >= 3 && path.get(1).equals("rules");
    if (inRules && violation.keyword().equals("required") && path.size() == 3) {
      return violation.field().equals("name") || violation.field().equals("match");
    }
    if (inRules && path.size() == 4 && path.getLast().equals("name")) {
      return violation.keyword().equals("maxLength");
    }
    return !path.isEmpty()
        && Set.of("failureAction", "action", "validationFailureAction").contains(path.getLast())
        && root.at(path)
            .filter(action -> action.isText("enforce") || action.isText("audit"))
            .isPresent();
  }

  /// Source: Kyverno 1.19, `MockContext.Query`, `validateVariable`, `validateAPICall`,
  /// `validateGlobalReference`, `GlobalContextEntryProjection.Validate`; the grammar is
  /// <https://jmespath.org/specification.html>.
  private static final Rule JMESPATH =
      Rule.error(
          "PS051",
          "JMESPath does not parse",
          """
          What stands between `{{` and `}}` in a rule, and every `jmesPath` of its context, is JMESPath, e.g. with \
          back-quotes around JSON, single quotes around texts and double quotes around names with a hyphen. Kyverno \
          rejects a policy with an expression that does not parse. Only `lint` checks this.\
          """,
          "Fix the expression.",
          LintOnly::judgeJmesPaths,
          Trait.LINT_ONLY);

  private static void judgeJmesPaths(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      Variables.in(rule.node())
          .filter(variable -> !variable.query().equals("@"))
          .forEach(variable -> judgeJmesPath(variable.node(), variable.query(), found));
      rule.node().items("context").stream()
          .flatMap(entry ->
              entry.all(
                  "variable.jmesPath",
                  "apiCall.jmesPath",
                  "globalReference.jmesPath",
                  "imageRegistry.jmesPath"))
          .filter(path -> !path.text().isEmpty() && !Variables.has(path.text()))
          .forEach(path -> judgeJmesPath(path, path.text(), found));
    }
    if (policy.type() == PolicyKind.Type.CONTEXT_ENTRY) {
      policy
          .spec()
          .all("projections[].jmesPath")
          .forEach(path -> judgeJmesPath(path, path.text(), found));
    }
  }

  private static void judgeJmesPath(Node node, String query, LintFindingSink found) {
    JmesPath.problem(query)
        .ifPresent(problem ->
            found.at(
                node, "the JMESPath " + Variables.shown(query) + " does not parse: " + problem));
  }
}
