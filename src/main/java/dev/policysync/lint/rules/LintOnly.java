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
import dev.policysync.policy.admission.AdmissionPolicies;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// Rules that need a library which no sync loads: JSON Schema and JMESPath.
final class LintOnly {
  private LintOnly() {}

  static List<Rule> rules() {
    return List.of(SCHEMA, JMESPATH, FUNCTION, ADMISSION);
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
              1.19, which may have more fields. A version that no release serves is an error. Admission policies and \
              bindings are judged by the schemas of Kubernetes 1.36.3. `status` is not judged, because the API server \
              drops it. Only `lint` checks this.

              A policy of more than 1.5 MiB is rejected by etcd with its default settings.\
              """,
              "Write the field as the schema has it: kubectl explain shows its name, type and values.",
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
      judgeBuiltIn(policy, found);
      return;
    }
    var schemas = KyvernoSchemas.bundled();
    schemas
        .schemaReleaseFor(found.kyvernoRelease())
        .ifPresent(release -> judgeBySchema(policy, schemas, release, found));
  }

  /// Kubernetes has served ValidatingAdmissionPolicies in v1 since 1.30, and
  /// MutatingAdmissionPolicies since 1.36. Older versions are off by default.
  private static void judgeBuiltIn(LintedPolicy policy, LintFindingSink found) {
    var root = policy.root();
    if (!root.text("apiVersion").endsWith("/v1")) {
      var mutating =
          policy.type() == PolicyKind.Type.MUTATING_ADMISSION
              || policy.type() == PolicyKind.Type.MUTATING_BINDING;
      found.at(
          root.atOrSelf("apiVersion"),
          mutating ? WARNING : ERROR,
          "the API server does not serve "
              + policy.kind().kind()
              + " in this version by default, and "
              + (mutating ? "Kubernetes 1.36 not at all" : "Kubernetes 1.34 not at all"),
          "Use " + policy.kind().group() + "/v1.");
    }
    KyvernoSchemas.bundled()
        .violations(policy.kind(), root.mapping())
        .filter(violation -> !isMissingAction(violation, policy))
        .forEach(violation -> report(violation, root, ERROR, found));
  }

  /// PS015 reports a binding without actions.
  private static boolean isMissingAction(Violation violation, LintedPolicy policy) {
    return policy.type() == PolicyKind.Type.VALIDATING_BINDING
        && violation.field().equals("validationActions");
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
      // A version that no release serves was never applied.
      found.at(
          root.atOrSelf("apiVersion"),
          servedAnywhere(schemas, kind, version) ? WARNING : ERROR,
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

  private static boolean servedAnywhere(KyvernoSchemas schemas, PolicyKind kind, String version) {
    return schemas.releases().stream()
        .anyMatch(known -> schemas.servedVersions(known, kind).contains(version));
  }

  private static void report(
      Violation violation, Node root, LintSeverity severity, LintFindingSink found) {
    var node = root.at(violation.path()).orElse(root);
    if (violation.keyword().equals("additionalProperties")) {
      found.at(
          node.atOrSelf(violation.field()),
          severity,
          violation.message(),
          violation.message().contains("did you mean")
              ? "Rename the field, or remove it."
              : "Remove the field, or move it to where the kind has it.");
    } else if (violation.keyword().equals("required")) {
      var path = node.path().isEmpty() ? "the policy" : node.path();
      found.at(node, severity, path + ": " + violation.message(), "Add " + violation.field() + ".");
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

  private static final Rule ADMISSION =
      Rule.error(
          "PS063",
          "Admission policy or binding that the API server rejects",
          """
          Beyond the schema (PS041), the API server validates the fields of ValidatingAdmissionPolicies, \
          MutatingAdmissionPolicies and their bindings: operations, resources and selectors as in a webhook, a message \
          of one line, a reason that it knows, a `paramRef` with `parameterNotFoundAction`, actions that do not \
          exclude each other, names that are identifiers, a patch that fits its `patchType`. Only `lint` checks this; \
          in a sync the API server does.\
          """,
          "Change the field as the message says.",
          LintOnly::judgeAdmission,
          Trait.LINT_ONLY);

  private static void judgeAdmission(LintedPolicy policy, LintFindingSink found) {
    AdmissionPolicies.faults(policy.kind(), policy.root().mapping())
        .forEach(fault ->
            found.at(
                KyvernoWebhooks.nearest(policy.root(), fault.path()),
                fault.reason() + "; the API server rejects it"));
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
    eachJmesPath(policy, (node, query) -> judgeJmesPath(node, query, found));
  }

  private static void eachJmesPath(LintedPolicy policy, BiConsumer<Node, String> check) {
    for (var rule : LegacyRule.of(policy)) {
      Variables.in(rule.node())
          .filter(variable -> !variable.query().equals("@"))
          .forEach(variable -> check.accept(variable.node(), variable.query()));
      rule.node().items("context").stream()
          .flatMap(entry ->
              entry.all(
                  "variable.jmesPath",
                  "apiCall.jmesPath",
                  "globalReference.jmesPath",
                  "imageRegistry.jmesPath"))
          .filter(path -> !path.text().isEmpty() && !Variables.has(path.text()))
          .forEach(path -> check.accept(path, path.text()));
    }
    if (policy.type() == PolicyKind.Type.CONTEXT_ENTRY) {
      policy.spec().all("projections[].jmesPath").forEach(path -> check.accept(path, path.text()));
    }
    if (policy.type() == PolicyKind.Type.CLEANUP) {
      Variables.in(policy.spec())
          .forEach(variable -> check.accept(variable.node(), variable.query()));
    }
  }

  private static void judgeJmesPath(Node node, String query, LintFindingSink found) {
    JmesPath.problem(query)
        .ifPresent(problem ->
            found.at(
                node, "the JMESPath " + Variables.shown(query) + " does not parse: " + problem));
  }

  /// Source: Kyverno 1.19, `jmespath.GetFunctions`, `time.go`; kyverno/go-jmespath, `functions.go`.
  private static final Rule FUNCTION =
      Rule.warning(
          "PS062",
          "Unknown JMESPath function",
          """
          A JMESPath calls a function that neither JMESPath nor Kyverno 1.19 has, usually a misspelt one: \
          `to_uppercase` for `to_upper`, `trimPrefix` for `trim_prefix`. Kyverno accepts the policy, and the expression \
          fails at each request: the rule ends with an error instead of a verdict. Only `lint` checks this.\
          """,
          "Use a function that Kyverno has.",
          LintOnly::judgeFunctions,
          Trait.LINT_ONLY);

  private static final Set<String> FUNCTIONS =
      Set.of(
          ("length starts_with abs avg ceil contains ends_with floor amp max merge max_by sum min min_by type keys values"
                  + " sort sort_by join reverse to_array to_string to_number not_null map compare equal_fold replace"
                  + " replace_all to_upper to_lower trim trim_prefix split regex_replace_all"
                  + " regex_replace_all_literal regex_match pattern_match label_match to_boolean add subtract multiply"
                  + " divide modulo round base64_decode base64_encode path_canonicalize truncate semver_compare"
                  + " parse_json parse_yaml lookup items object_from_lists random x509_decode image_normalize"
                  + " is_external_url sha256 sha1 md5 time_since time_now time_now_utc time_add time_parse time_to_cron"
                  + " time_utc time_diff time_before time_after time_between time_truncate")
              .split(" ", -1));

  private static void judgeFunctions(LintedPolicy policy, LintFindingSink found) {
    eachJmesPath(
        policy,
        (node, query) ->
            JmesPath.functions(query).stream()
                .filter(name -> !FUNCTIONS.contains(name))
                .forEach(name ->
                    found.at(
                        node,
                        Math.max(0, node.text().indexOf(name)),
                        "Kyverno has no JMESPath function " + name)));
  }
}
