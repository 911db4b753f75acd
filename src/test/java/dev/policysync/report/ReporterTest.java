package dev.policysync.report;

import static dev.policysync.report.ReportKind.POLICY_REPORT;
import static dev.policysync.report.ReportSamples.report;
import static dev.policysync.report.ReportSamples.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.policysync.policy.PolicyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReporterTest {
  private final FakeUpload upload = new FakeUpload();
  private final FakeReportSource complete =
      new FakeReportSource()
          .with(POLICY_REPORT, report("shop", "Pod/a/u1", result("p", "r", "fail")));

  @TempDir private Path folder;

  @Test
  void sendsWhatIsCompleteAndSaysHowMuchThatIs() {
    var summary = run(complete, new Delivery.Sent(upload, true));

    assertThat(summary.status()).isEqualTo(ReportSummary.Status.UPLOADED);
    assertThat(summary.failure()).isEmpty();
    assertThat(upload.sent).hasSize(1);
    assertThat(summary.bytes()).isEqualTo(upload.sent.getFirst().length());
  }

  @Test
  void u3TellsAShortReasonWithoutAddressesAndNoLog() {
    var source = complete.refusing("PolicyReport.wgpolicyk8s.io");

    var summary = run(source, new Delivery.Sent(upload, true));

    assertThat(summary.status()).isEqualTo(ReportSummary.Status.FAILED);
    assertThat(upload.sent).isEmpty();
    assertThat(upload.failures)
        .containsExactly("list PolicyReport.wgpolicyk8s.io: HTTP 403, forbidden");
    assertThat(
            FailureNote.of(
                "GET https://10.96.0.1:443/apis failed:\n no answer from 10.96.0.1:443"
                    + "x".repeat(9_000)))
        .startsWith("GET https://…/apis failed: no answer from …")
        .hasSizeLessThan(700);
  }

  @Test
  void sendsNothingWhereResultsVanishedWithTheirProducer() {
    var source =
        complete
            .with(
                PolicyKind.CLUSTER_POLICY,
                clusterPolicy("p", "validate"),
                clusterPolicy("q", "validate"))
            .with(PolicyKind.CLUSTER_POLICY, clusterPolicy("m", "mutate"));

    var executed = run(source.withKyverno("v1.19.1"), new Delivery.Sent(upload, true));
    var unknown = run(source.withKyverno("ours"), new Delivery.Sent(upload, true));
    var ended = run(source.withKyverno("v1.20.0"), new Delivery.Sent(upload, true));
    var shown = run(source, new Delivery.Shown(_ -> {}));

    assertThat(List.of(executed, unknown, shown)).allMatch(summary -> summary.failure().isEmpty());
    assertThat(ended.status()).isEqualTo(ReportSummary.Status.FAILED);
    assertThat(ended.failure().orElseThrow())
        .startsWith("no report contains a result of ClusterPolicy/q, because Kyverno 1.20.0 does");
    assertThat(upload.sent).hasSize(2);
    assertThat(upload.failures).singleElement().asString().contains("ClusterPolicy/q");
  }

  @Test
  void sendsWhatIsCompleteWithKyverno120() {
    var source =
        complete
            .with(PolicyKind.CLUSTER_POLICY, clusterPolicy("p", "validate"))
            .with(PolicyKind.VALIDATING_POLICY, clusterPolicy("v", "validate"))
            .withKyverno("v1.20.0");

    assertThat(run(source, new Delivery.Sent(upload, true)).failure()).isEmpty();
  }

  @Test
  void sendsNothingWhereResultsVanishedAndKyvernosVersionIsUnknown() {
    var successorsOnly =
        new FakeReportSource()
            .with(PolicyKind.CLUSTER_POLICY, clusterPolicy("q", "validate"))
            .with(PolicyKind.VALIDATING_POLICY, clusterPolicy("v", "validate"))
            .with(
                POLICY_REPORT,
                report("shop", "Pod/a/u1", result("KyvernoValidatingPolicy", "v", "", "fail", 10)));
    var noReports =
        new FakeReportSource()
            .with(PolicyKind.VALIDATING_POLICY, clusterPolicy("v", "validate"))
            .withKyverno("ours");

    var silent = run(successorsOnly, new Delivery.Sent(upload, true));
    var none = run(noReports, new Delivery.Written(folder.resolve("kyverno.json")));

    assertThat(silent.failure().orElseThrow())
        .startsWith("no report contains a result of ClusterPolicy/q, and Kyverno's version is");
    assertThat(none.failure().orElseThrow())
        .startsWith("the cluster has policies and no policy report, and Kyverno's version is");
    assertThat(upload.sent).isEmpty();
    assertThat(folder.resolve("kyverno.json")).doesNotExist();
  }

  @Test
  void warnsWhereKyvernosVersionIsUnknown() {
    var source = complete.with(PolicyKind.CLUSTER_POLICY, clusterPolicy("p", "validate"));

    var unknown = run(source, new Delivery.Sent(upload, true));
    var known = run(source.withKyverno("v1.19.1"), new Delivery.Sent(upload, true));

    assertThat(unknown.failure()).isEmpty();
    assertThat(unknown.warnings())
        .singleElement()
        .asString()
        .startsWith("Kyverno's version is unknown");
    assertThat(known.warnings()).isEmpty();
  }

  /// Such as reports-server that falls back to empty CRDs.
  @Test
  void warnsWhereThereArePoliciesAndNoReport() {
    var source =
        new FakeReportSource()
            .with(PolicyKind.CLUSTER_POLICY, clusterPolicy("p", "validate"))
            .with(POLICY_REPORT)
            .withKyverno("v1.19.1");

    var summary = run(source, new Delivery.Sent(upload, true));

    assertThat(summary.failure()).isEmpty();
    assertThat(summary.warnings())
        .singleElement()
        .asString()
        .startsWith("the cluster has policies with background scans (1) and no policy report");
  }

  private static String clusterPolicy(String name, String rule) {
    return "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"rules\": [{\"%s\": {}}]}}"
        .formatted(name, rule);
  }

  @Test
  void tellsNothingWhereThatIsSwitchedOff() {
    var source = complete.refusing("PolicyReport.wgpolicyk8s.io");

    run(source, new Delivery.Sent(upload, false));

    assertThat(upload.failures).isEmpty();
  }

  @Test
  void failsWhereTheApiDoesNotTakeIt() {
    upload.refusing = true;

    var summary = run(complete, new Delivery.Sent(upload, true));

    assertThat(summary.failure()).contains("POST …: returned 401");
    assertThat(summary.content()).isPresent();
  }

  @Test
  void writesTheWholeFileOrNone() throws IOException {
    var file = folder.resolve("kyverno.json");

    var failed =
        run(
            new FakeReportSource().with(POLICY_REPORT).refusing("PolicyReport.wgpolicyk8s.io"),
            new Delivery.Written(file));
    var unwritable = run(complete, new Delivery.Written(folder.resolve("no/kyverno.json")));

    assertThat(failed.failure()).isPresent();
    assertThat(unwritable.failure().orElse("")).contains("does not exist");
    assertThat(folder).isEmptyDirectory();

    var written = run(complete, new Delivery.Written(file));

    assertThat(written.status()).isEqualTo(ReportSummary.Status.WRITTEN);
    assertThat(Files.size(file)).isEqualTo(written.bytes());
    assertThat(folder).isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void callsAFullDiskFull() throws IOException {
    IOException full;
    try (var device = Files.newOutputStream(Path.of("/dev/full"))) {
      full = catchThrowableOfType(IOException.class, () -> device.write(1));
    }

    assertThat(SpillFile.reason(full)).isEqualTo("no space left");
    assertThat(SpillFile.advice(full)).isEqualTo("give that volume more room");
  }

  @Test
  void showsFindingsAndSendsNothing() {
    var shown = new ArrayList<Finding>();

    var summary =
        run(
            complete,
            new Delivery.Shown(findings -> {
              try (var stream = findings.stream()) {
                stream.forEach(shown::add);
              }
            }));

    assertThat(shown).hasSize(1);
    assertThat(summary.bytes()).isZero();
  }

  private static ReportSummary run(FakeReportSource source, Delivery delivery) {
    var collector =
        new Collector(
            source,
            List.of(Path.of(System.getProperty("java.io.tmpdir"))),
            UploadContent.AS_THE_GO_AGENT);
    return new Reporter(collector, delivery, () -> 0).run();
  }

  private static final class FakeUpload implements ReportUpload {
    private final List<UploadBody> sent = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private boolean refusing;

    @Override
    public void send(UploadBody body) {
      if (refusing) {
        throw new UploadFailed("POST …: returned 401", new IOException());
      }
      sent.add(body);
    }

    @Override
    public void sendFailure(String reason) {
      failures.add(reason);
    }
  }
}
