package dev.policysync.report;

import static dev.policysync.policy.PolicyKind.CLUSTER_POLICY;
import static dev.policysync.policy.PolicyKind.NAMESPACED_POLICY;
import static dev.policysync.policy.PolicyKind.NAMESPACED_VALIDATING_POLICY;
import static dev.policysync.policy.PolicyKind.VALIDATING_ADMISSION_POLICY;
import static dev.policysync.policy.PolicyKind.VALIDATING_POLICY;
import static dev.policysync.report.ReportKind.CLUSTER_POLICY_REPORT;
import static dev.policysync.report.ReportKind.POLICY_REPORT;
import static dev.policysync.report.ReportKind.REPORT;
import static dev.policysync.report.ReportResult.ERROR;
import static dev.policysync.report.ReportResult.FAIL;
import static dev.policysync.report.ReportResult.WARN;
import static dev.policysync.report.ReportSamples.findings;
import static dev.policysync.report.ReportSamples.policy;
import static dev.policysync.report.ReportSamples.report;
import static dev.policysync.report.ReportSamples.result;
import static dev.policysync.report.ReportSamples.results;
import static dev.policysync.report.ReportSamples.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.report.UploadContent.Titles;
import dev.policysync.testcluster.Documents;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the report plugin in use gets wrong, by the numbers of the list of its defects; each is
/// right here. R8, memory, is [FlatMemoryTest]'s; U1 to U3, sending, are `InsightsReportsTest`'s.
class KnownDefectsTest {
  private static final UploadContent ALL_TITLES =
      new UploadContent(EnumSet.of(FAIL, WARN), Titles.ALL);

  @Test
  void r1TitlesOfNamespacedPoliciesArriveInFindingsAndInTheUploadIfRequested() {
    var source =
        new FakeReportSource()
            .with(
                NAMESPACED_POLICY, policy("shop", "label", "title: Team label\ndescription: All."))
            .with(
                POLICY_REPORT,
                report("shop", "Pod/a/u1", result("shop/label", "has-label", "fail")));

    var finding = findings(source).getFirst();
    var sent = results(upload(source, ALL_TITLES), "policyReports").getFirst();
    var asBefore = results(upload(source), "policyReports").getFirst();

    assertThat(finding.policy().title()).isEqualTo("Team label");
    assertThat(finding.policy().description()).isEqualTo("All.");
    assertThat(sent.text("policyTitle")).contains("Team label");
    assertThat(sent.text("policyDescription")).contains("All.");
    assertThat(asBefore.fields()).doesNotContainKeys("policyTitle", "policyDescription");
  }

  /// The API may tell action items apart by their titles.
  @Test
  void sendsTheTitlesThatThePluginSends() {
    var source =
        new FakeReportSource()
            .with(CLUSTER_POLICY, policy("titled", "title: Titled\ndescription: All."))
            .with(CLUSTER_POLICY, policy("untitled", ""))
            .with(
                CLUSTER_POLICY_REPORT,
                report(
                    "",
                    "Namespace/a/u1",
                    result("titled", "one", "fail"),
                    result("untitled", "two", "fail")));

    assertThat(results(upload(source), "clusterPolicyReports"))
        .extracting(result -> result.text("policyTitle").orElse("-"))
        .containsExactly("Titled", "-");
    assertThat(results(upload(source, ALL_TITLES), "clusterPolicyReports"))
        .extracting(result -> result.text("policyTitle").orElse("-"))
        .containsExactly("Titled", "untitled");
  }

  @Test
  void
      r2AResultOfAValidatingAdmissionPolicyIsSentOnceFailuresWithAllOthersTheRestInAListOfTheirOwn() {
    var source =
        new FakeReportSource()
            .with(VALIDATING_ADMISSION_POLICY, policy("no-root", "title: No root"))
            .with(
                POLICY_REPORT,
                report(
                    "shop",
                    "Pod/a/u1",
                    result("ValidatingAdmissionPolicy", "no-root", "no-root", "fail", 1),
                    result("ValidatingAdmissionPolicy", "quiet", "quiet", "pass", 1)));

    var upload = upload(source, ALL_TITLES);

    assertThat(results(upload, "validatingAdmissionPolicyReports"))
        .extracting(result -> result.text("result").orElse(""))
        .containsExactly("pass");
    assertThat(results(upload, "policyReports"))
        .extracting(result -> result.text("policyTitle").orElse(""))
        .containsExactly("No root");
  }

  @Test
  void r3ReportsWithoutResultsAndResultsWithoutResultOrPolicyAreSkippedAndCounted() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                "{\"metadata\":{\"name\":\"none\",\"namespace\":\"shop\"}}",
                "{\"metadata\":{\"name\":\"null\",\"namespace\":\"shop\"},\"results\":null}",
                report(
                    "shop",
                    "Pod/a/u1",
                    "{\"policy\":\"a\"}",
                    "{\"result\":\"fail\"}",
                    result("a", "b", "fail")));

    try (var collectedReports = ReportSamples.collect(source)) {
      assertThat(collectedReports.totals().all()).isEqualTo(new ResultCounts(0, 1, 0, 0, 0));
      assertThat(collectedReports.statistics().unknownResults()).isEqualTo(1);
      assertThat(collectedReports.statistics().withoutPolicy()).isEqualTo(1);
    }
  }

  @Test
  void r4ErrorsAreFindingsAndAreSentWhereSomebodyAsksForThem() {
    var source =
        new FakeReportSource()
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("a", "b", "error")));

    assertThat(findings(source)).extracting(Finding::result).containsExactly(ReportResult.ERROR);
    assertThat(results(upload(source), "policyReports")).isEmpty();
    try (var collected =
        ReportSamples.collect(
            source, new UploadContent(EnumSet.of(FAIL, WARN, ERROR), Titles.ALL))) {
      var upload = Documents.json(ReportSamples.text(collected.upload()));
      assertThat(results(upload, "policyReports")).hasSize(1);
    }
  }

  @Test
  void r5CelPoliciesNamespacedPoliciesAndOpenReportsAreCollected() {
    var source =
        new FakeReportSource()
            .with(VALIDATING_POLICY, policy("cel", "title: Cel"))
            .with(NAMESPACED_VALIDATING_POLICY, policy("shop", "cel", "title: Cel of shop"))
            .with(
                REPORT,
                """
                {"apiVersion":"openreports.io/v1alpha1","kind":"Report","metadata":{"name":"u1",\
                "namespace":"shop"},"source":"KyvernoValidatingPolicy","scope":{"kind":"Pod",\
                "name":"a","namespace":"shop","uid":"u1"},"results":[\
                {"policy":"cel","result":"fail","message":"m"},\
                {"policy":"shop/cel","result":"fail","message":"m"}]}\
                """);

    var upload = upload(source);

    assertThat(findings(source))
        .extracting(finding -> finding.policy().title())
        .containsExactly("Cel", "Cel of shop");
    assertThat(ReportSamples.items(upload, "policyReports").getFirst().text("apiVersion"))
        .contains("wgpolicyk8s.io/v1alpha2");
    assertThat(results(upload, "policyReports"))
        .extracting(result -> result.text("source").orElse(""))
        .containsOnly("KyvernoValidatingPolicy");
  }

  @Test
  void r6KindsThatAreAbsentAreNoFailure() {
    var upload = upload(new FakeReportSource());

    assertThat(upload.fields().keySet())
        .containsExactly(
            "kyvernoVersion",
            "policyReports",
            "clusterPolicyReports",
            "validatingAdmissionPolicyReports",
            "validatingAdmissionPolicies",
            "clusterPolicies");
    assertThat(upload.fields().get("policyReports")).isEqualTo(new Value.Sequence(List.of()));
  }

  @Test
  void r7KyvernosVersionIsSaidWhereItIsKnown() {
    assertThat(upload(new FakeReportSource().withKyverno("v1.19.0")).text("kyvernoVersion"))
        .contains("v1.19.0");
    assertThat(upload(new FakeReportSource()).text("kyvernoVersion")).contains("");
  }

  @Test
  void r9AListThatFailsMakesNoSmallerReport() {
    var source =
        new FakeReportSource()
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("a", "b", "fail")))
            .with(CLUSTER_POLICY_REPORT)
            .refusing("ClusterPolicyReport.wgpolicyk8s.io");

    assertThatThrownBy(() -> ReportSamples.collect(source))
        .isInstanceOf(CollectionFailed.class)
        .hasMessageContaining("list ClusterPolicyReport.wgpolicyk8s.io");
  }

  @Test
  void r9PoliciesThatCannotBeListedMakeNoReportWithoutTitles() {
    var source = new FakeReportSource().with(CLUSTER_POLICY).refusing("ClusterPolicy.kyverno.io");

    assertThatThrownBy(() -> ReportSamples.collect(source)).isInstanceOf(CollectionFailed.class);
  }
}
