package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Documentation;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What a sync says and does about hazards, and what the command `lint` finds, with the whole
/// program.
class LintIT extends EndToEnd {
  private static final String HAZARD =
      "PS048, Invalid verifyImages entry (" + Documentation.url("docs/lint/PS048.md") + ")";

  @Test
  void namesTheHazardsOfWhatItWritesAndWritesIt() {
    insights.expects(signed("signed", 2));
    agent.with("LINT", "warn");

    var first = agent.run();
    var second = agent.run();

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "warnings")).contains("ClusterPolicy/signed: " + HAZARD);
    assertThat(texts(first, "applied")).containsExactly("signed");
    assertThat(texts(second, "warnings")).isEmpty();
  }

  @Test
  void withholdsWhatHasAnError() {
    insights.expects(Feeds.of(signed("signed", 2), clusterPolicy("other", "Audit")));
    agent.with("LINT", "block");

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
    assertThat(policiesIn(run, "withheld")).containsExactly("ClusterPolicy/signed");
    assertThat(run.stdout()).contains(HAZARD);
    assertThat(texts(run, "applied")).containsExactly("other");
    assertThat(exists("clusterpolicies", "signed")).isFalse();
  }

  @Test
  void appliesAClusterScopedPolicyWithANamespaceAndSaysThatItIsDropped() {
    insights.expects(
        clusterPolicy("label", "Audit")
            .replace("  name: label\n", "  name: label\n  namespace: shop\n"));
    agent.with("LINT", "warn");

    var first = agent.run();
    var second = agent.run();

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "applied")).containsExactly("label");
    assertThat(texts(first, "warnings"))
        .contains(
            "ClusterPolicy/label: PS040, Namespace does not fit the kind ("
                + Documentation.url("docs/lint/PS040.md")
                + ")");
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(texts(second, "updated")).isEmpty();
    assertThat(exists("clusterpolicies", "label")).isTrue();
  }

  @Test
  void leavesWhatIsThereAsItIsUntilTheErrorIsGone() {
    insights.expects(signed("signed", 1));
    agent.with("LINT", "block").run();
    var before = resourceVersion("clusterpolicies", "signed");
    insights.expects(signed("signed", 2));

    var withheld = agent.run();
    var after = resourceVersion("clusterpolicies", "signed");
    insights.expects(
        signed("signed", 1)
            .replace(
                "  name: signed\n",
                """
                  name: signed
                  annotations:
                    pod-policies.kyverno.io/autogen-controllers: none
                """));
    var mended = agent.run();

    assertThat(withheld.exitCode()).as(withheld.all()).isEqualTo(3);
    assertThat(after).isEqualTo(before);
    assertThat(mended.exitCode()).as(mended.all()).isZero();
    assertThat(texts(mended, "updated")).containsExactly("signed");
  }

  @Test
  void writesNothingTwiceWhileOneIsWithheld() {
    insights.expects(Feeds.of(signed("signed", 2), clusterPolicy("other", "Audit")));
    agent.with("LINT", "block").run();
    audit = cluster.auditLog();

    var again = agent.run();

    assertThat(again.exitCode()).as(again.all()).isEqualTo(3);
    assertThat(audit.writes()).isEmpty();
  }

  @Test
  void loadsNothingOfLintWhereNothingIsToDo() throws IOException {
    insights.expects(signed("signed", 2));
    agent.with("LINT", "block").run();
    insights.expects(signed("signed", 1));
    agent.run();

    assertThat(agent.classesOfARun(folder.resolve("classes.log")))
        .noneMatch(name -> name.startsWith("dev.policysync.lint.") && !name.endsWith(".LintMode"));
  }

  @Test
  void keepsAPolicyWhoseSuccessorHasCelThatCannotBeRead() {
    insights.expects(clusterPolicy("limits", "Audit"));
    agent.with("LINT", "block").run();
    insights.expects(cel("limits", "has(object.spec.limits"));

    var withheld = agent.run();
    var kept = exists("clusterpolicies", "limits");
    insights.expects(cel("limits", "has(object.spec.limits)"));
    var mended = settle();

    assertThat(withheld.exitCode()).as(withheld.all()).isEqualTo(3);
    assertThat(policiesIn(withheld, "withheld"))
        .containsExactly("ClusterPolicy/limits", "ValidatingPolicy/limits");
    assertThat(withheld.stdout()).contains("PS020");
    assertThat(kept).isTrue();
    assertThat(mended.exitCode()).as(mended.all()).isZero();
    assertThat(exists("clusterpolicies", "limits")).isFalse();
  }

  @Test
  void loadsTheParserOfCelOnlyToWithhold() throws IOException {
    insights.expects(cel("warned", "has(object.spec)"));
    var warning = agent.with("LINT", "warn").classesOfARun(folder.resolve("warning.log"));
    insights.expects(cel("blocked", "has(object.spec)"));
    var blocking = agent.with("LINT", "block").classesOfARun(folder.resolve("blocking.log"));

    assertThat(warning)
        .contains("dev.policysync.lint.Linter")
        .noneMatch(name -> name.startsWith("dev.cel."));
    assertThat(blocking).anyMatch(name -> name.startsWith("dev.cel."));
  }

  @Test
  void judgesTheExamplePoliciesAsCleanBeforeTheirKindsGoAway() {
    var run =
        agent.run(
            "lint",
            Path.of("examples", "policies").toString(),
            "--fail-on=warning",
            "--kyverno-version=1.18.2");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout()).contains("0 errors, 0 warnings");
  }

  @Test
  void judgesWhatTheApiExpects() {
    insights.expects(signed("signed", 2));

    var run = agent.run("lint", "--from-insights", "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.summary().items("findings")).isNotEmpty();
    assertThat(run.stdout()).contains("\"id\":\"PS048\"", "\"file\":\"feed\"");
  }

  @Test
  void saysThatTheApiCannotBeAsked() {
    var run = agent.with("FAIRWINDS_TOKEN", "wrong").run("lint", "--from-insights");

    assertThat(run.exitCode()).as(run.all()).isEqualTo(2);
    assertThat(run.stderr()).contains("policy-sync cannot lint:");
    assertThat(run.stdout()).isEmpty();
  }

  private static String cel(String name, String expression) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    metadata:
      name: %s
    spec:
      matchConstraints:
        resourceRules:
          - apiGroups: [""]
            apiVersions: [v1]
            operations: [CREATE]
            resources: [pods]
      validationActions: [Audit]
      validations:
        - expression: %s
          message: limits
    """
        .formatted(name, expression);
  }

  /// @param count of attestors that have to sign; there is one
  private static String signed(String name, int count) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata:
      name: %s
    spec:
      rules:
        - name: signed
          match:
            any:
              - resources:
                  kinds: [Pod]
          verifyImages:
            - imageReferences: ["registry.example.com/*"]
              failureAction: Audit
              mutateDigest: false
              attestors:
                - count: %d
                  entries:
                    - keys:
                        publicKeys: k8s://kyverno/signing-key
    """
        .formatted(name, count);
  }
}
