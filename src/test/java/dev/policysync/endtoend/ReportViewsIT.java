package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What `report` shows of reports in a real API server, in each format. Others may have left
/// reports in the cluster, so only those of this test's own namespace are looked at. An upload
/// would fail, as the remote API here takes none.
class ReportViewsIT extends EndToEnd {
  private static final List<String> WORKLOADS = List.of("cart", "ledger");

  @BeforeEach
  void report() {
    create(
        "clusterpolicies",
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          name: team-label
          annotations:
            policies.kyverno.io/title: Require a <team> label
            policies.kyverno.io/category: Reliability
            policies.kyverno.io/severity: high
            policies.kyverno.io/description: Without an owner nobody is called.
        spec:
          rules:
            - name: check-team
              match:
                any:
                  - resources:
                      kinds: [Deployment]
              validate:
                message: a team is needed
                pattern:
                  metadata:
                    labels:
                      team: "?*"
        """);
    WORKLOADS.forEach(this::create);
  }

  private void create(String workload) {
    cluster
        .admin()
        .apply(
            path(workload) + "?fieldManager=reports",
            """
            apiVersion: wgpolicyk8s.io/v1alpha2
            kind: PolicyReport
            metadata:
              name: uid-of-%1$s
              labels:
                app.kubernetes.io/managed-by: kyverno
            scope:
              apiVersion: apps/v1
              kind: Deployment
              namespace: %2$s
              name: %1$s
              uid: uid-of-%1$s
            results:
              - source: kyverno
                policy: team-label
                rule: autogen-check-team
                result: fail
                message: =a team is needed</script>
                timestamp: {seconds: 1795289000, nanos: 0}
              - source: kyverno
                policy: team-label
                rule: other
                result: pass
                timestamp: {seconds: 1795289000, nanos: 0}
            """
                .formatted(workload, namespace))
        .ok();
  }

  @AfterEach
  void remove() {
    WORKLOADS.forEach(workload -> cluster.admin().delete(path(workload)));
    cluster.admin().delete(path("ledger-2"));
  }

  @Test
  void printsOneDocumentAndNothingElse() {
    var run = agent.run("report", "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isZero();
    var document = Documents.json(run.stdout());
    assertThat(own(document, "findings"))
        .hasSize(2)
        .allSatisfy(finding -> {
          assertThat(finding.text("title")).contains("Require a <team> label");
          assertThat(finding.text("rule")).contains("check-team");
          assertThat(finding.text("severity")).contains("high");
          assertThat(finding.text("category")).contains("Reliability");
        });
  }

  @Test
  void printsARowForEachFinding() {
    var run = agent.run("report", "-o", "csv");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout()).startsWith("severity,result,category,policy,");
    assertThat(run.stdout().lines().filter(line -> line.contains("," + namespace + ",")))
        .hasSize(2)
        .allMatch(line -> line.contains(",'=a team is needed</script>,"));
  }

  @Test
  void printsAPage() {
    var run = agent.run("report", "-o", "html");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout())
        .startsWith("<!doctype html>")
        .endsWith("</html>\n")
        .contains("Require a &lt;team&gt; label", "=a team is needed&lt;/script&gt;")
        .doesNotContain("needed</script>");
  }

  @Test
  void printsTextInADryRunAndSendsNothing() {
    var run = agent.run("report", "--dry-run");

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout()).startsWith("Policy findings").contains("team-label", namespace);
    assertThat(run.stdout()).doesNotContain("\u001b").doesNotContain("{");
  }

  @Test
  void saysWhatIsNewAndGoneSinceAnEarlierReportAndWhoseItIs() throws IOException {
    var earlier = folder.resolve("earlier.json");
    Files.writeString(earlier, agent.run("report", "-o", "json").stdout());
    cluster.admin().delete(path("cart")).ok();
    create("ledger-2");

    var run =
        agent.run(
            "report",
            "--since=" + earlier,
            "--owner-label=kubernetes.io/metadata.name",
            "-o",
            "json");

    assertThat(run.exitCode()).as(run.all()).isZero();
    var document = Documents.json(run.stdout());
    assertThat(own(document, "findings"))
        .extracting(finding ->
            finding.text("name").orElse("")
                + " "
                + finding.field("new").orElseThrow()
                + " "
                + finding.text("owner").orElse(""))
        .containsExactly(
            "ledger " + new Value.Bool(false) + " " + namespace,
            "ledger-2 " + new Value.Bool(true) + " " + namespace);
    assertThat(own(document, "gone"))
        .extracting(finding -> finding.text("name").orElse(""))
        .containsExactly("cart");
    assertThat(agent.run("report", "--since=" + earlier).stdout()).contains(" new and ");
  }

  @Test
  void refusesAFileThatIsNoEarlierReport() throws IOException {
    var storage = folder.resolve("storage.json");
    Files.writeString(storage, agent.run("report", "--storage", "-o", "json").stdout());

    var run = agent.run("report", "--since=" + storage, "-o", "html");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.stderr())
        .contains("is not what 'policy-sync report -o json' wrote: it has no list of findings");
    assertThat(run.stdout()).isEmpty();
  }

  @Test
  void measuresWhatReportsTake() {
    var run = agent.run("report", "--storage", "--pods=1000", "--policies=17", "-o", "json");

    assertThat(run.exitCode()).as(run.all()).isZero();
    var document = Documents.json(run.stdout());
    assertThat(document.field("measured")).contains(new Value.Bool(true));
    assertThat(document.mapping("estimate").field("ruleOfThumbBytes"))
        .contains(new Value.Numeric("25000000"));
    assertThat(agent.run("report", "--storage").stdout()).contains("bytes per result");
  }

  @Test
  void refusesOptionsThatMeanNothingTogether() {
    var run = agent.run("report", "--storage", "-o", "csv");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.stderr())
        .contains("--storage supports the output formats text and json, not csv");
    assertThat(run.stdout()).isEmpty();
  }

  @Test
  void failsWhereStdoutTakesNoMore() throws IOException, InterruptedException {
    var process = agent.start("report", "-o", "html");
    process.getInputStream().close();

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(process.errorReader().lines()).anyMatch(line -> line.contains("stdout"));
  }

  private List<Value.Mapping> own(Value.Mapping document, String list) {
    return document.items(list).stream()
        .map(item -> (Value.Mapping) item)
        .filter(finding -> finding.text("namespace").orElse("").equals(namespace))
        .toList();
  }

  private String path(String workload) {
    return "/apis/wgpolicyk8s.io/v1alpha2/namespaces/"
        + namespace
        + "/policyreports/uid-of-"
        + workload;
  }
}
