package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.ClusterDiagnostics.Kyverno;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KyvernoChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @ParameterizedTest
  @CsvSource({
    "v1.19.0, 3, OK",
    "v1.19.0, 1, WARNING",
    "v1.19.0, 0, FAILURE",
    "v1.20.0, 3, WARNING",
    "v1.20.0, 0, FAILURE",
    "a-tag-of-ours, 3, OK"
  })
  void judgesKyvernosReleaseAndReplicas(String version, int ready, CheckStatus checkStatus) {
    cluster.kyverno = new ProbeResult.Got<>(new Kyverno("kyverno", "kyverno/x", version, 3, ready));

    assertThat(ask("Kyverno")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(new KyvernoChecks(cluster).all(), subject);
  }
}
