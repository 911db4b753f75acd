package dev.policysync.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.check.ClusterDiagnostics.Kyverno;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KyvernoChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @ParameterizedTest
  @CsvSource({"3, OK", "1, WARNING", "0, FAILURE"})
  void judgesKyvernosReplicas(int ready, CheckStatus checkStatus) {
    cluster.kyverno =
        new ProbeResult.Got<>(new Kyverno("kyverno", "kyverno/x", "v1.19.0", 3, ready));

    assertThat(ask("Kyverno")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(new KyvernoChecks(cluster).all(), subject);
  }
}
