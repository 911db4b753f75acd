package dev.policysync.cli.lint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Golden;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.testcluster.Documents;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What `lint` prints in each format, and its exit code.
class LintCommandTest {
  private static final String ERROR =
      """
      apiVersion: kyverno.io/v2beta1
      kind: ClusterPolicy
      metadata:
        name: no-names
        annotations:
          policysync.dev/lint-ignore: "PS003: one cluster has Kyverno 1.9"
      spec:
        rules:
          - match:
              any:
                - resources:
                    kinds: [Namespace]
      """;
  private static final String WARNING =
      """
      apiVersion: policies.kyverno.io/v1alpha1
      kind: ValidatingPolicy
      metadata:
        name: old
      spec:
        matchConstraints:
          resourceRules:
            - apiGroups: [networking.k8s.io]
              apiVersions: [v1]
              operations: [CREATE]
              resources: [ingresses]
        validations:
          - expression: has(object.spec.tls)
      """;
  private static final String CLEAN =
      WARNING.replace("v1alpha1", "v1").replace("spec:", "spec:\n  validationActions: [Audit]");
  private static final String BROKEN = "apiVersion: kyverno.io/v1\nkind: [\n";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void endsWithZeroWhereNothingIsFound() {
    assertThat(lint(CLEAN, "lint", "policies")).isEqualTo(ExitCode.OK);
    assertThat(out()).isEqualTo("0 errors, 0 warnings, 0 notes in 1 policy\n");
  }

  @Test
  void failsOnErrorsAndOnWarningsOnlyWhereTheyAreAskedFor() {
    assertThat(lint(ERROR, "lint", "policies")).isEqualTo(ExitCode.FAILED);
    assertThat(lint(WARNING, "lint", "policies")).isEqualTo(ExitCode.OK);
    assertThat(lint(WARNING, "lint", "policies", "--fail-on=warning")).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void findsOnlyWhatConcernsTheRelease() {
    lint(ERROR, "lint", "policies", "--kyverno-version=1.12.1");

    assertThat(out()).contains("PS009").doesNotContain("PS004");
  }

  @Test
  void judgesTheOthersWhereOneIsBroken() {
    assertThat(lint(BROKEN + "---\n" + WARNING, "lint", "policies")).isEqualTo(ExitCode.FAILED);
    assertThat(out()).contains("error[PS000]", "warning[PS015]", "note[PS003]");
  }

  @Test
  void leavesOutWhatIsExcluded() {
    for (var globs : List.of("policies", "*.yaml", "policies/**", "charts,a b.yaml")) {
      assertThat(lint(ERROR, "lint", "policies", "--exclude", globs)).isEqualTo(ExitCode.OK);
      assertThat(out()).endsWith("in 0 policies\n");
    }
    assertThat(lint(ERROR, "lint", "policies", "--exclude=policies/c*")).isEqualTo(ExitCode.FAILED);
    assertThat(command("lint", "policies", "--exclude=[").problems())
        .singleElement()
        .asString()
        .startsWith("--exclude has an invalid glob");
  }

  @Test
  void countsWhatIsNoPolicyInOneLine() {
    var others =
        """
        kind: Service
        apiVersion: v1
        ---
        kind: Test
        apiVersion: cli.kyverno.io/v1alpha1
        ---
        kind: ValidatingPolicy
        apiVersion: json.kyverno.io/v1alpha1
        ---
        replicas: 1
        ---
        kind: Kustomization
        apiVersion: kustomize.config.k8s.io/v1beta1
        patches: [{path: "a b.yaml"}]
        ---
        """;

    assertThat(lint(others + CLEAN, "lint", "policies")).isEqualTo(ExitCode.OK);
    assertThat(out())
        .isEqualTo(
            """
            0 errors, 0 warnings, 0 notes in 0 policies
            skipped, as no policies: of other kinds 3 (Service, Test, ValidatingPolicy), without \
            apiVersion and kind 1, kustomizations 1 (kustomize build DIR | policy-sync lint -), kustomize patches 1
            """);
  }

  @Test
  void countsWhatTestsExpectOfPolicies() {
    var parts =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: checked}
        status: {conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: ($test.metadata.name)}
        spec: {rules: []}
        ---
        apiVersion: kyverno.io/v2
        kind: UpdateRequest
        metadata: {name: ur}
        """;

    assertThat(lint(parts, "lint", "policies")).isEqualTo(ExitCode.OK);
    assertThat(out())
        .endsWith("skipped, as no policies: of other kinds 1 (UpdateRequest), parts of tests 2\n");
  }

  @Test
  void takesNoRenderedPolicyForATemplate() {
    var broken =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: a}
        # %s
        """;

    for (var template :
        List.of(
            "{{ printf \"%s\" .Release.Name }}", "{{- x }}", "{{ .Values.a }}", "{{ if .x }}")) {
      assertThat(lint(broken.replace("%s", template), "lint", "policies")).isEqualTo(ExitCode.OK);
      assertThat(out()).contains("Helm templates 1");
    }
    assertThat(lint(broken.replace("%s", "{{ request.object.metadata.name }}"), "lint", "policies"))
        .isEqualTo(ExitCode.FAILED);
  }

  @Test
  void namesFilesAsUris() {
    assertThat(uriOf("policies/ü #?%.yaml")).isEqualTo("policies/%C3%BC%20%23%3F%25.yaml");
    assertThat(uriOf("a:b/c.yaml")).isEqualTo("./a:b/c.yaml");
    assertThat(uriOf("a:b.yaml")).isEqualTo("./a:b.yaml");
    assertThat(uriOf("-")).isEqualTo("stdin");
  }

  private String uriOf(String file) {
    out.reset();
    command("lint", "policies", "-o", "sarif")
        .run(() -> List.of(new Manifest(file, ERROR.getBytes(UTF_8))));
    return ((Value.Mapping) only(Documents.json(out()).items("runs")).items("results").getFirst())
        .items("locations").stream()
            .map(place -> ((Value.Mapping) place).mapping("physicalLocation"))
            .flatMap(place -> place.mapping("artifactLocation").text("uri").stream())
            .findFirst()
            .orElseThrow();
  }

  @Test
  void takesABrokenFileAloneForAFinding() {
    assertThat(lint("}", "lint", "policies")).isEqualTo(ExitCode.FAILED);
    assertThat(out()).startsWith("error[PS000]");
  }

  @Test
  void saysWhatCannotBeJudged() {
    PolicySource nowhere =
        () -> {
          throw new FeedProblem("cannot read policies: no such file or directory", false);
        };

    assertThat(command("lint", "policies").run(nowhere)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            """
            policy-sync cannot lint:
              - cannot read policies: no such file or directory
            Run 'policy-sync help lint' for usage.
            """);
  }

  @Test
  void namesEverythingThatIsWrongWithTheCommandLine() {
    assertThat(command("lint", "--fail-on=note", "--kyverno-version=new").problems())
        .containsExactly(
            "no input: specify files or a directory, - for standard input, or --from-insights",
            "--fail-on must be error or warning",
            "--kyverno-version must be a release of Kyverno, e.g. 1.18.2");
    assertThat(command("lint", "a.yaml", "--from-insights").problems())
        .containsExactly("lint accepts either files or --from-insights, not both");
    assertThat(command("lint", "a.yaml", "b.yaml").files()).containsExactly("a.yaml", "b.yaml");
  }

  @Test
  void writesText() {
    lint(ERROR + "---\n" + WARNING, "lint", "policies");

    Golden.assertEqual("lint.txt", out());
  }

  @Test
  void writesJsonInOneLine() {
    lint(ERROR + "---\n" + WARNING, "lint", "policies", "-o", "json");

    Golden.assertEqual("lint.json", out());
  }

  @Test
  void writesSarif() {
    lint(ERROR + "---\n" + WARNING, "lint", "policies", "-o", "sarif");

    var log = Documents.json(out());
    assertThat(log.text("version")).contains("2.1.0");
    var run = only(log.items("runs"));
    var driver = run.mapping("tool").mapping("driver");
    assertThat(driver.text("name")).contains("policy-sync");
    assertThat(driver.items("rules"))
        .hasSameSizeAs(Catalogue.hazards())
        .allSatisfy(rule -> {
          var hazard = (Value.Mapping) rule;
          assertThat(hazard.text("id").orElse("")).startsWith("PS");
          assertThat(hazard.mapping("shortDescription").text("text")).isPresent();
          assertThat(hazard.mapping("fullDescription").text("text")).isPresent();
          assertThat(hazard.mapping("help").text("text").orElseThrow())
              .contains(hazard.text("helpUri").orElseThrow());
          assertThat(hazard.text("helpUri").orElseThrow())
              .startsWith("https://")
              .endsWith("/docs/lint/" + hazard.text("id").orElseThrow() + ".md");
          assertThat(hazard.mapping("defaultConfiguration").text("level")).isIn(levels());
        });
    var results = run.items("results");
    assertThat(results).isNotEmpty().allSatisfy(item -> checkResult((Value.Mapping) item, driver));
    assertThat(results).filteredOn(item -> item.toString().contains("suppressions")).hasSize(1);
  }

  private static void checkResult(Value.Mapping result, Value.Mapping driver) {
    var index = ((Value.Numeric) result.field("ruleIndex").orElseThrow()).literal();
    var rule = (Value.Mapping) driver.items("rules").get(Integer.parseInt(index));
    assertThat(rule.text("id")).isEqualTo(result.text("ruleId"));
    assertThat(result.text("level")).isIn(levels());
    assertThat(result.mapping("message").text("text")).isPresent();
    var place = only(result.items("locations")).mapping("physicalLocation");
    assertThat(place.mapping("artifactLocation").text("uri")).contains("policies/a%20b.yaml");
    assertThat(place.mapping("region").field("startLine")).isPresent();
    assertThat(place.mapping("region").field("startColumn")).isPresent();
    for (var suppression : result.items("suppressions")) {
      var why = (Value.Mapping) suppression;
      assertThat(why.text("kind")).contains("inSource");
      assertThat(why.text("justification")).contains("one cluster has Kyverno 1.9");
    }
  }

  private static List<Optional<String>> levels() {
    var levels = new ArrayList<Optional<String>>();
    List.of("error", "warning", "note").forEach(level -> levels.add(Optional.of(level)));
    return levels;
  }

  private static Value.Mapping only(List<Value> items) {
    assertThat(items).hasSize(1);
    return (Value.Mapping) items.getFirst();
  }

  private ExitCode lint(String yaml, String... args) {
    out.reset();
    return command(args)
        .run(() -> List.of(new Manifest("policies/a b.yaml", yaml.getBytes(UTF_8))));
  }

  private LintCommand command(String... args) {
    var invocation = (Invocation.Run) Invocation.of(args);
    return LintCommand.on(
        invocation,
        true,
        new Output(new PrintStream(out, true, UTF_8)),
        new Output(new PrintStream(err, true, UTF_8)));
  }

  private String out() {
    return out.toString(UTF_8);
  }
}
