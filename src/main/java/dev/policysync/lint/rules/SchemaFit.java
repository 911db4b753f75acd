package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.KyvernoSchemas;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Violation;
import dev.policysync.policy.PolicySize;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;
import java.util.Set;

/// Reports fields and values that the schema of the policy's CRD rejects.
final class SchemaFit implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS041",
        LintSeverity.ERROR,
        AffectedVersions.since("1.13"),
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
        "Correct the field or its value.");
  }

  @Override
  public boolean lintOnly() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
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
        .ifPresent(release -> judge(policy, schemas, release, found));
  }

  private static void judge(
      LintedPolicy policy, KyvernoSchemas schemas, KyvernoVersion release, LintFindingSink found) {
    var kind = policy.kind();
    var apiVersion = policy.root().text("apiVersion").orElse("");
    var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    var served = schemas.servedVersions(release, kind);
    var judgedBy = release;
    if (!served.contains(version) && found.kyvernoRelease().isEmpty()) {
      // No release is given, and an older one may serve this version.
      judgedBy =
          schemas.releases().stream()
              .filter(known -> schemas.servedVersions(known, kind).contains(version))
              .findFirst()
              .orElse(release);
      served = schemas.servedVersions(judgedBy, kind);
    }
    if (served.isEmpty()) {
      found.at(
          policy.root().at("kind").orElse(policy.root()),
          "Kyverno " + minor(release) + " has no " + kind.kind() + " in " + kind.group(),
          "Use a kind that this release has, or upgrade Kyverno.");
      return;
    }
    if (!served.contains(version)) {
      // If no release is given, no release serves this version, so it was never applied.
      found.at(
          policy.root().at("apiVersion").orElse(policy.root()),
          found.kyvernoRelease().isEmpty() ? LintSeverity.ERROR : LintSeverity.WARNING,
          "Kyverno " + minor(release) + " does not serve " + kind.kind() + " in " + apiVersion,
          "Use " + kind.group() + "/" + best(kind.versions(), served) + ".");
    }
    var severity =
        found
                .kyvernoRelease()
                .filter(given ->
                    given.minor() > schemas.newest().minor()
                        || given.major() > schemas.newest().major())
                .isPresent()
            ? LintSeverity.WARNING
            : LintSeverity.ERROR;
    var by = served.contains(version) ? version : best(kind.versions(), served);
    schemas
        .violations(judgedBy, kind, by, policy.root().mapping())
        .filter(violation -> !reportedByOtherRule(violation, policy.root()))
        .forEach(violation -> report(violation, policy.root(), severity, found));
  }

  private static String best(List<String> wanted, List<String> served) {
    return wanted.stream().filter(served::contains).findFirst().orElse(served.getFirst());
  }

  private static String minor(KyvernoVersion release) {
    return release.major() + "." + release.minor();
  }

  private static void report(
      Violation violation, Node root, LintSeverity severity, LintFindingSink found) {
    var node = root.at(violation.path()).orElse(root);
    var path = node.path().isEmpty() ? "the policy" : node.path();
    if (violation.keyword().equals("additionalProperties")) {
      found.at(
          node.at(violation.field()).orElse(node),
          severity,
          violation.message(),
          "Correct or remove the field.");
    } else {
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
}
