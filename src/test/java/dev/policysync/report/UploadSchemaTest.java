package dev.policysync.report;

import static dev.policysync.report.ReportSamples.policy;
import static dev.policysync.report.ReportSamples.report;
import static dev.policysync.report.ReportSamples.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.api.Test;

class UploadSchemaTest {
  @Test
  void aBodyWithOneOfEachKeepsToTheSchema() {
    var source =
        new FakeReportSource()
            .withKyverno("v1.19.0")
            .with(PolicyKind.CLUSTER_POLICY, policy("p", "title: Team label"))
            .with(PolicyKind.VALIDATING_ADMISSION_POLICY, policy("v", ""))
            .with(
                ReportKind.POLICY_REPORT,
                report(
                    "shop",
                    "Pod/a/u1",
                    result("p", "r", "fail"),
                    result("p", "s", "pass"),
                    result("ValidatingAdmissionPolicy", "v", "v", "pass", 1)))
            .with(
                ReportKind.CLUSTER_REPORT,
                report("", "Namespace/shop/u2", result("p", "r", "error")));

    try (var collectedReports = ReportSamples.collect(source)) {
      assertThat(UploadSchema.problems(ReportSamples.text(collectedReports.upload()))).isEmpty();
    }
  }

  @Test
  void theSchemaNoticesWhatIsMissingOrTooMuch() {
    var body =
        """
        {"kyvernoVersion":"","policyReports":[{"apiVersion":"wgpolicyk8s.io/v1alpha2",
        "kind":"PolicyReport","metadata":{"name":"a","namespace":"b","managedFields":[]},
        "results":[{"policy":"p","result":"pass"}]}],"clusterPolicyReports":[],
        "validatingAdmissionPolicyReports":[],"validatingAdmissionPolicies":[],"reports":[]}
        """;

    assertThat(UploadSchema.problems(body))
        .anySatisfy(problem -> assertThat(problem).contains("clusterPolicies"))
        .anySatisfy(problem -> assertThat(problem).contains("managedFields"))
        .anySatisfy(problem -> assertThat(problem).contains("reports"));
  }
}
