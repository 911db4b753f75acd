package dev.policysync.report;

import static dev.policysync.policy.PolicyKind.CLUSTER_POLICY;
import static dev.policysync.policy.PolicyKind.VALIDATING_POLICY;
import static dev.policysync.report.ReportKind.POLICY_REPORT;
import static dev.policysync.report.ReportKind.REPORT;
import static dev.policysync.report.ReportSamples.collect;
import static dev.policysync.report.ReportSamples.findings;
import static dev.policysync.report.ReportSamples.policy;
import static dev.policysync.report.ReportSamples.report;
import static dev.policysync.report.ReportSamples.result;
import static dev.policysync.report.ReportSamples.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeduplicationTest {
  @Test
  void takesTheNewestOfResultsWithOneIdentity() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Pod/a/u1", result("kyverno", "p", "r", "fail", 20)),
                report("chunk-1", "shop", List.of(of("u1", "pass", 30), of("u1", "fail", 10))));

    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.totals().all()).isEqualTo(new ResultCounts(1, 0, 0, 0, 0));
      assertThat(collectedReports.statistics().superseded()).isEqualTo(2);
    }
  }

  @Test
  void keepsTheSamePolicyOfTwoSourcesApart() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report(
                    "shop",
                    "Pod/a/u1",
                    result("kyverno", "p", "r", "fail", 1),
                    result("KyvernoValidatingPolicy", "p", "r", "fail", 1)));

    assertThat(findings(source)).hasSize(2);
  }

  /// One CVE in two packages of a workload: Kyverno's identity of a result is not theirs.
  @Test
  void keepsResultsOfAnotherProducerApartThatDifferInWhatTheySay() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report(
                    "shop",
                    "ReplicaSet/cart-6d4/u2",
                    scanned("openssl", "openssl", 10),
                    scanned("libssl3", "libssl3", 10),
                    scanned("a vulnerability", "zlib", 10),
                    scanned("a vulnerability", "curl", 10)));

    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.totals().all()).isEqualTo(new ResultCounts(0, 4, 0, 0, 0));
      assertThat(collectedReports.statistics().superseded()).isZero();
    }
    assertThat(findings(source))
        .extracting(finding -> finding.resultMessage().text())
        .containsExactly("a vulnerability", "a vulnerability", "libssl3", "openssl");
  }

  @Test
  void takesTheNewestOfResultsOfAnotherProducerThatSayTheSame() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report(
                    "shop",
                    "ReplicaSet/cart-6d4/u2",
                    scanned("openssl", "openssl", 10),
                    scanned("openssl", "openssl", 20)));

    try (var collectedReports = collect(source)) {
      assertThat(collectedReports.totals().all()).isEqualTo(new ResultCounts(0, 1, 0, 0, 0));
      assertThat(collectedReports.statistics().superseded()).isEqualTo(1);
    }
  }

  @Test
  void mergesResultsOfAnotherProducerWithThoseOfControllersOnlyIfTheySayTheSame() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "ReplicaSet/cart-6d4/u2", scanned("openssl", "openssl", 10)),
                report(
                    "shop",
                    "Pod/cart-6d4-x2k4q/u3",
                    scanned("openssl", "openssl", 10),
                    scanned("libssl3", "libssl3", 10)));

    assertThat(findings(source))
        .extracting(finding -> finding.resource().kind() + " " + finding.resultMessage().text())
        .containsExactlyInAnyOrder("ReplicaSet openssl", "Pod libssl3");
  }

  private static String scanned(String message, String component, long seconds) {
    return """
    {"source":"Trivy Vulnerability","policy":"CVE-2025-0001","category":"Vulnerability Scan",\
    "result":"fail","severity":"critical","scored":true,"message":"%s",\
    "properties":{"resource":"%s"},"timestamp":{"seconds":%d,"nanos":0}}\
    """
        .formatted(message, component, seconds);
  }

  @Test
  void takesTheWorseOfTwoEquallyNewResults() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("a", "shop", List.of(of("u1", "pass", 10))),
                report("b", "shop", List.of(of("u1", "fail", 10))),
                report("c", "shop", List.of(of("u1", "skip", 10))));

    assertThat(findings(source)).hasSize(1);
  }

  /// A rehearsal would double every finding.
  @Test
  void leavesOutWhatOnlyRehearsesAnotherPolicy() {
    var rehearsing =
        """
        {"metadata": {"name": "p", "annotations":
          {"policysync.dev/rehearses": "ClusterPolicy.kyverno.io/p",
           "policysync.dev/applied": "ValidatingPolicy.policies.kyverno.io/%s@sha256:0"}}}\
        """;
    var source =
        new FakeReportSource()
            .with(CLUSTER_POLICY, policy("p", ""))
            .with(
                VALIDATING_POLICY,
                rehearsing.formatted("p"),
                rehearsing.replace("\"name\": \"p\"", "\"name\": \"copy\"").formatted("p"))
            .with(
                POLICY_REPORT,
                report(
                    "shop",
                    "Pod/a/u1",
                    result("kyverno", "p", "r", "fail", 10),
                    result("KyvernoValidatingPolicy", "p", "", "fail", 10),
                    result("KyvernoValidatingPolicy", "copy", "", "fail", 10)));

    assertThat(findings(source))
        .extracting(f -> f.policy().source() + " " + f.policy().name())
        .containsExactlyInAnyOrder("kyverno p", "KyvernoValidatingPolicy copy");
    assertThat(ReportSamples.results(upload(source), "policyReports"))
        .extracting(sent -> sent.text("policy"))
        .containsExactly(Optional.of("p"), Optional.of("copy"));
  }

  @Test
  void forgetsWhatAListThatBeganAnewHadBrought() {
    var source =
        new FakeReportSource()
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("p", "r", "fail")))
            .breakingOffAfter(report("shop", "Pod/gone/u2", result("p", "r", "fail")));

    assertThat(findings(source)).extracting(f -> f.resource().name()).containsExactly("a");
    assertThat(ReportSamples.items(upload(source), "policyReports")).hasSize(1);
    try (var collectedReports = collect(source)) {
      assertThat(ReportSamples.sizes(collectedReports).reports()).isEqualTo(1);
    }
  }

  @Test
  void leavesOutAStaleTwinWithAllItsResults() {
    var stale =
        report(
            "shop",
            "Pod/a/u1",
            result("kyverno", "p", "r", "fail", 10),
            result("kyverno", "deleted", "r", "fail", 10));
    var fresh = report("shop", "Pod/a/u1", result("kyverno", "p", "r", "fail", 1_800_000_000));

    for (var kinds : List.of(List.of(REPORT, POLICY_REPORT), List.of(POLICY_REPORT, REPORT))) {
      var source = new FakeReportSource().with(kinds.get(0), fresh).with(kinds.get(1), stale);

      assertThat(findings(source)).extracting(f -> f.policy().name()).containsExactly("p");
      assertThat(ReportSamples.results(upload(source), "policyReports")).hasSize(1);
      try (var collectedReports = collect(source)) {
        assertThat(collectedReports.statistics().staleReports()).isEqualTo(1);
      }
    }
  }

  @Test
  void prefersOpenReportsWhereTwinsAreEquallyOld() {
    var source =
        new FakeReportSource()
            .with(REPORT, report("shop", "Pod/a/u1", result("open", "r", "fail")))
            .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("old", "r", "fail")));

    assertThat(findings(source)).extracting(f -> f.policy().name()).containsExactly("open");
  }

  @Test
  void keepsAnotherProducersReportOnTheSameResource() {
    var other =
        report("shop", "Pod/a/u1", result("Trivy", "CVE-1", "", "fail", 1))
            .replace("\"kyverno\"", "\"trivy-operator\"");
    var source =
        new FakeReportSource()
            .with(REPORT, report("shop", "Pod/a/u1", result("p", "r", "fail")))
            .with(POLICY_REPORT, other);

    assertThat(findings(source)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment, cart, cart-7d9f8c6b5-x2k4q, autogen-has-label",
    "StatefulSet, cart, cart-0, autogen-has-label",
    "DaemonSet, cart, cart-x2k4q, autogen-has-label",
    "Job, cart, cart-x2k4q, autogen-has-label",
    "ReplicaSet, cart-7d9f8c6b5, cart-7d9f8c6b5-x2k4q, autogen-has-label",
    "CronJob, cart, cart-28934560-x2k4q, autogen-cronjob-has-label",
    "Deployment, a-name-with-dashes, a-name-with-dashes-5c4d-x2k4q, autogen-has-label",
  })
  void countsAControllersPodsWithIt(String kind, String controller, String pod, String rule) {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Pod/" + pod + "/u1", result("p", "has-label", "fail")),
                report("shop", kind + "/" + controller + "/u2", result("p", rule, "fail")));

    var findings = findings(source);

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().resource().kind()).isEqualTo(kind);
    assertThat(findings.getFirst().rule()).isEqualTo("has-label");
    assertThat(findings.getFirst().pods()).isEqualTo(1);
    assertThat(ReportSamples.items(upload(source), "policyReports")).hasSize(2);
  }

  @Test
  void matchesRulesThatWereCut() {
    var rule = "containers-must-not-run-as-root-unless-they-are-of-the-platform";
    var derived = ("autogen-cronjob-" + rule).substring(0, 63);
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Pod/cart-28934560-x2k4q/u1", result("p", rule, "fail")),
                report("shop", "CronJob/cart/u2", result("p", derived, "fail")));

    assertThat(findings(source)).hasSize(1);
  }

  @Test
  void matchesPodsWhoseNamesWereCut() {
    var name = "a-deployment-with-a-name-of-more-than-fifty-eight-characters-x";
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report(
                    "shop", "Pod/" + name.substring(0, 58) + "x2k4q/u1", result("p", "r", "fail")),
                report("shop", "Deployment/" + name + "/u2", result("p", "autogen-r", "fail")));

    assertThat(findings(source)).hasSize(1);
  }

  @Test
  void keepsAPodThatFailsWhereItsControllerPasses() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Pod/cart-7d9f8c6b5-x2k4q/u1", result("p", "r", "fail")),
                report("shop", "Deployment/cart/u2", result("p", "autogen-r", "pass")));

    assertThat(findings(source)).extracting(f -> f.resource().kind()).containsExactly("Pod");
  }

  @Test
  void keepsAPodOfAnotherNamespaceRuleOrPolicyThanTheControllers() {
    var source =
        new FakeReportSource()
            .with(
                POLICY_REPORT,
                report("shop", "Deployment/cart/u2", result("p", "autogen-r", "fail")),
                report("pay", "Pod/cart-7d9f8c6b5-x2k4q/u3", result("p", "r", "fail")),
                report("shop", "Pod/cart-7d9f8c6b5-x2k4q/u4", result("p", "other", "fail")),
                report("shop", "Pod/cart-7d9f8c6b5-x2k4q/u5", result("q", "r", "fail")),
                report("shop", "Pod/cart/u6", result("p", "r", "fail")));

    assertThat(findings(source)).hasSize(5);
  }

  @Test
  void saysTheSameWhateverOrderTheClusterListsIn() {
    var one = report("shop", "Pod/a/u1", result("p", "r", "fail"), result("q", "r", "warn"));
    var two = report("pay", "Deployment/b/u2", result("p", "autogen-r", "error"));
    var critical = policy("q", "severity: Critical");

    var findings =
        findings(
            new FakeReportSource().with(CLUSTER_POLICY, critical).with(POLICY_REPORT, one, two));
    var reversed =
        findings(
            new FakeReportSource().with(CLUSTER_POLICY, critical).with(POLICY_REPORT, two, one));

    assertThat(findings).isEqualTo(reversed);
    assertThat(findings)
        .extracting(f -> f.severity() + " " + f.policy().name() + " " + f.resource().label())
        .containsExactly(
            "critical q Pod/shop/a", "unrated p Deployment/pay/b", "unrated p Pod/shop/a");
  }

  @Test
  void saysWhichFolderCannotBeWrittenTo() {
    var collector =
        new Collector(
            new FakeReportSource(),
            List.of(Path.of("/nowhere"), Path.of("/proc")),
            UploadContent.AS_THE_GO_AGENT);

    assertThatThrownBy(collector::collect)
        .isInstanceOf(CollectionFailed.class)
        .hasMessageContaining("/nowhere (does not exist)")
        .hasMessageContaining("/proc")
        .hasMessageContaining("emptyDir");
  }

  private static String of(String uid, String result, long seconds) {
    return result("kyverno", "p", "r", result, seconds)
        .replace(
            "\"policy\"",
            "\"resources\":[{\"kind\":\"Pod\",\"name\":\"a\",\"namespace\":\"shop\",\"uid\":\""
                + uid
                + "\"}],\"policy\"");
  }
}
