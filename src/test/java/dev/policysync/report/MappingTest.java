package dev.policysync.report;

import static dev.policysync.policy.PolicyKind.CLUSTER_POLICY;
import static dev.policysync.policy.PolicyKind.NAMESPACED_POLICY;
import static dev.policysync.report.ReportKind.CLUSTER_POLICY_REPORT;
import static dev.policysync.report.ReportKind.POLICY_REPORT;
import static dev.policysync.report.ReportSamples.collect;
import static dev.policysync.report.ReportSamples.findings;
import static dev.policysync.report.ReportSamples.policy;
import static dev.policysync.report.ReportSamples.report;
import static dev.policysync.report.ReportSamples.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// From annotations, results and whatever else reports hold to findings.
class MappingTest {
  @ParameterizedTest
  @CsvSource({
    "CRITICAL, CRITICAL, 0.9",
    "High, HIGH, 0.7",
    "medium, MEDIUM, 0.4",
    "low, LOW, 0.1",
    "None, NONE, 0",
    "info, NONE, 0",
    "terrible, UNRATED, 0.4",
    "'', UNRATED, 0.4",
  })
  void readsSeveritiesInAnyCase(String text, Severity severity, double number) {
    var finding = finding("severity: " + text);

    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.severity().number()).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({
    "Efficiency, EFFICIENCY",
    "reliability, RELIABILITY",
    "Security, SECURITY",
    "Best Practices, SECURITY",
  })
  void takesEveryOtherCategoryForSecurity(String text, Category category) {
    assertThat(finding("category: " + text).category()).isEqualTo(category);
  }

  @Test
  void takesWhatThePolicySaysBeforeWhatTheResultSays() {
    var rated =
        result("p", "r", "fail")
            .replace("\"policy\"", "\"severity\":\"low\",\"category\":\"Reliability\",\"policy\"");
    var silent = new FakeReportSource().with(POLICY_REPORT, report("shop", "Pod/a/u1", rated));
    var loud =
        new FakeReportSource()
            .with(CLUSTER_POLICY, policy("p", "severity: high\ncategory: Efficiency"))
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", rated));

    assertThat(findings(silent)).extracting(Finding::severity).containsExactly(Severity.LOW);
    assertThat(findings(silent))
        .extracting(Finding::category)
        .containsExactly(Category.RELIABILITY);
    assertThat(findings(loud)).extracting(Finding::severity).containsExactly(Severity.HIGH);
    assertThat(findings(loud)).extracting(Finding::category).containsExactly(Category.EFFICIENCY);
  }

  @Test
  void takesTheNameForATitleWhereThereIsNone() {
    assertThat(finding("severity: low").policy().title()).isEqualTo("p");
  }

  @Test
  void readsRemediation() {
    assertThat(finding("remediation: Set the label team.").policy().remediation())
        .isEqualTo("Set the label team.");
  }

  @ParameterizedTest
  @CsvSource({
    "https://acme.example/policies/p?a=1#b, true",
    "HTTPS://acme.example, true",
    "http://acme.example, false",
    "javascript:alert(1), false",
    "'data:text/html,<script>alert(1)</script>', false",
    "https:acme.example, false",
    "https://, false",
    "//acme.example, false",
    "/policies/p, false",
    "'https://acme.example/a b', false",
    "see https://acme.example, false",
  })
  void takesHttpsAddressesOnlyForALink(String text, boolean link) {
    var policy = linked("{policysync.dev/source-url: \"" + text + "\"}");

    assertThat(policy.link()).isEqualTo(link ? Optional.of(text) : Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policysync.dev/source-url",
        "link.argocd.argoproj.io/external-link",
        "policies.nirmata.io/remediation-docs",
        "policies.nirmata.io/remediation"
      })
  void readsALinkFromEachAnnotationThatPeopleWriteOneInto(String annotation) {
    assertThat(linked("{" + annotation + ": \"https://acme.example/p\"}").link())
        .contains("https://acme.example/p");
  }

  @Test
  void prefersTheLinkThatIsMeantForIt() {
    var policy =
        linked(
            "{policies.nirmata.io/remediation: \"https://acme.example/nirmata\","
                + " policies.nirmata.io/remediation-docs: \"none\","
                + " link.argocd.argoproj.io/external-link: \"https://acme.example/argo\"}");

    assertThat(policy.link()).contains("https://acme.example/argo");
    assertThat(policy.remediation()).isEqualTo("https://acme.example/nirmata");
  }

  @Test
  void findsAPolicyOfANamespaceThatIsNamedWithoutIt() {
    var source =
        new FakeReportSource()
            .with(NAMESPACED_POLICY, policy("shop", "p", "title: Of the shop"))
            .with(
                POLICY_REPORT,
                report("shop", "Pod/a/u1", result("p", "r", "fail")),
                report("pay", "Pod/b/u2", result("p", "r", "fail")));

    assertThat(findings(source))
        .extracting(f -> f.policy().name() + ": " + f.policy().title())
        .containsExactly("p: p", "shop/p: Of the shop");
  }

  @Test
  void cutsAHugeMessageAndMarksIt() {
    var huge = result("p", "r", "fail").replace("\"no r\"", "\"" + "x".repeat(10_000_000) + "\"");
    var source = new FakeReportSource().with(POLICY_REPORT, report("shop", "Pod/a/u1", huge));

    var resultMessage = findings(source).getFirst().resultMessage();
    var sent = ReportSamples.results(ReportSamples.upload(source), "policyReports").getFirst();

    assertThat(resultMessage.cut()).isTrue();
    assertThat(resultMessage.text()).hasSize(ResultMessage.LIMIT);
    assertThat(sent.text("message").orElse("")).hasSize(ResultMessage.LIMIT + 6).endsWith(" [cut]");
    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.statistics().cutMessages()).isEqualTo(1);
    }
  }

  @Test
  void readsAReportOfTenMegabytes() {
    var results = new String[20_000];
    for (var i = 0; i < results.length; i++) {
      results[i] = result("policy-" + i, "rule-" + "x".repeat(400), "fail");
    }
    var source = new FakeReportSource().with(POLICY_REPORT, report("shop", "Pod/a/u1", results));

    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.totals().all().fail()).isEqualTo(20_000);
      assertThat(ReportSamples.sizes(collectedReports).bytes()).isGreaterThan(10_000_000);
    }
  }

  @Test
  void takesWhatHasAWrongTypeForMissingAndCountsIt() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                """
                {"metadata":{"namespace":"shop","name":"x"},"scope":"Pod","results":[
                {"policy":7,"result":"fail"},
                {"policy":"p","result":["fail"]},
                {"policy":"p","result":"undecided"},
                {"policy":"p","result":"FAIL","rule":{},"severity":3,"message":{"a":1},
                 "timestamp":"2026-11-20T09:30:00Z","resources":"none","properties":[1]},
                {"policy":"q","result":"fail","severity":"urgent","timestamp":{"seconds":"many"}}]}
                """);

    var findings = findings(source);

    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).resource().label()).isEqualTo("PolicyReport/shop/x");
    assertThat(findings.get(0).seen()).contains(Instant.parse("2026-11-20T09:30:00Z"));
    assertThat(findings.get(1).seen()).isEmpty();
    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.statistics())
          .isEqualTo(new CollectionStatistics(0, 0, 0, 1, 2, 1, 1, 0));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "{\"metadata\":{\"name\":\"x\"},\"results\":{}}",
        "{\"metadata\":{\"name\":\"x\"},\"results\":\"none\"}",
        "{\"metadata\":{\"name\":\"x\"},\"results\":[{\"policy\":\"p\",\"result\":\"fail\"},null]}",
      })
  void refusesToCollectWhereAReportCannotBeRead(String report) {
    var source = new FakeReportSource().with(POLICY_REPORT, report);

    assertThatThrownBy(() -> collect(source))
        .isInstanceOf(CollectionFailed.class)
        .hasMessageStartingWith("read PolicyReport ")
        .hasMessageContaining("its results are not a list of objects");
  }

  @Test
  void addsUpToTheSameInAllFourDirections() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Pod/a/u1", result("p", "r", "fail"), result("q", "r", "pass")),
                report("pay", "Pod/b/u2", result("p", "r", "skip"), result("q", "r", "warn")))
            .with(
                CLUSTER_POLICY_REPORT, report("", "Namespace/shop/u3", result("p", "r", "error")));

    try (var collectedReports = collect(source)) {
      var totals = collectedReports.totals();
      assertThat(totals.all()).isEqualTo(new ResultCounts(1, 1, 1, 1, 1));
      assertThat(totals.policies())
          .extracting(of -> of.policy().name() + " " + of.resultCounts().findings())
          .containsExactly("p 2", "q 1");
      assertThat(totals.namespaces())
          .extracting(of -> of.namespace() + " " + of.resultCounts().findings())
          .containsExactly("shop 1", " 1", "pay 1");
      assertThat(totals.severities().get(Severity.UNRATED)).isEqualTo(totals.all());
      assertThat(totals.categories().get(Category.SECURITY)).isEqualTo(totals.all());
    }
  }

  @Test
  void measuresReportsAndResults() {
    var result = result("p", "r", "fail");
    var report = report("shop", "Pod/a/u1", result, result);

    try (var collectedReports =
        collect(new FakeReportSource().with(POLICY_REPORT, report, report("pay", "Pod/b/u2")))) {
      var reportSizes = ReportSamples.sizes(collectedReports);
      assertThat(reportSizes.reports()).isEqualTo(2);
      assertThat(reportSizes.results()).isEqualTo(2);
      assertThat(reportSizes.resultBytes()).isEqualTo(2L * result.length());
      assertThat(reportSizes.perResult()).isEqualTo(result.length());
      assertThat(reportSizes.bytes())
          .isEqualTo(report.length() + report("pay", "Pod/b/u2").length());
    }
  }

  @Test
  void sendsPoliciesAsTheyAreButForTheirManagedFields() {
    var upload =
        ReportSamples.upload(
            new FakeReportSource().with(CLUSTER_POLICY, policy("p", "title: Title")));

    var policy = ReportSamples.items(upload, "clusterPolicies").getFirst();

    assertThat(policy.text("kind")).contains("ClusterPolicy");
    assertThat(policy.text("apiVersion")).contains("kyverno.io/v1");
    assertThat(policy.mapping("metadata").fields()).doesNotContainKey("managedFields");
    assertThat(policy.mapping("spec").fields().get("rules"))
        .isEqualTo(new Value.Sequence(List.of()));
  }

  private static ReportedPolicy linked(String annotations) {
    var policy = Documents.yaml("{metadata: {name: p, annotations: " + annotations + "}}");
    var source =
        new FakeReportSource()
            .with(CLUSTER_POLICY, Json.write(policy))
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("p", "r", "fail")));
    return findings(source).getFirst().policy();
  }

  private static Finding finding(String annotations) {
    return findings(
            new FakeReportSource()
                .with(CLUSTER_POLICY, policy("p", annotations))
                .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("p", "r", "fail"))))
        .getFirst();
  }
}
