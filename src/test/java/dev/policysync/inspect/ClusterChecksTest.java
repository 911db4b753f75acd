package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.ClusterDiagnostics.LeaseState;
import dev.policysync.inspect.ClusterDiagnostics.Server;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.LeaseHold;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @ParameterizedTest
  @CsvSource({"v1.36.3, OK", "v1.27.0-gke.100, OK", "v1.26.15, FAILURE", "v1.9.0, FAILURE"})
  void judgesTheVersionOfKubernetes(String version, CheckStatus checkStatus) {
    cluster.server =
        new ProbeResult.Got<>(new Server("https://10.0.0.1/", version, Optional.empty()));

    assertThat(ask("API server")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  @ParameterizedTest
  @CsvSource({"PT0.9S, OK", "PT5S, OK", "PT6S, WARNING", "PT-6S, WARNING"})
  void warnsOfAClockThatIsOff(Duration ahead, CheckStatus checkStatus) {
    cluster.server =
        new ProbeResult.Got<>(new Server("https://10.0.0.1/", "v1.36.3", Optional.of(ahead)));

    assertThat(ask("API server"))
        .filteredOn(checkResult -> checkResult.subject().equals("API server clock"))
        .extracting(CheckResult::status)
        .containsExactly(checkStatus);
  }

  @Test
  void takesKindsThatOnlyNewerVersionsHaveForAllRight() {
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.NAMESPACED_MUTATING_POLICY)));

    assertThat(ask("kinds"))
        .singleElement()
        .satisfies(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(CheckStatus.OK);
          assertThat(checkResult.found())
              .startsWith("20 of 21 kinds are served: ")
              .contains("not served: [NamespacedMutatingPolicy]");
        });
  }

  @Test
  void failsWhereNoneOfKyvernosKindsIsServed() {
    var kyvernos = EnumSet.allOf(PolicyKind.class);
    kyvernos.removeIf(kind -> !kind.group().endsWith("kyverno.io"));
    cluster.kinds = new ProbeResult.Got<>(FakeClusterDiagnostics.servedBut(kyvernos));

    assertThat(ask("kinds"))
        .containsExactly(
            CheckResult.failure(
                "kinds",
                "no Kyverno kinds are served; served: admissionregistration.k8s.io v1",
                "install Kyverno and its CRDs, or select another cluster"));
  }

  @Test
  void failsWhereTheApiServerDoesNotKnowItsKinds() {
    var all = FakeClusterDiagnostics.allServed();
    cluster.kinds =
        new ProbeResult.Got<>(
            new ClusterDiagnostics.Kinds(
                all.versions(), Map.of(), Map.of(PolicyKind.CLUSTER_POLICY, "no current list")));

    assertThat(ask("kinds"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.FAILURE, CheckStatus.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "FREE, OK",
    "ACTIVE, OK",
    "EXPIRED, WARNING",
    "STUCK, FAILURE",
  })
  void judgesALease(LeaseHold hold, CheckStatus checkStatus) {
    cluster.lease =
        new ProbeResult.Got<>(
            new LeaseState(
                "agents/lock",
                hold,
                "pod-a",
                Optional.of(Duration.ofMinutes(40)),
                Optional.empty(),
                "kubectl patch …"));

    assertThat(ask("Lease")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(new ClusterChecks(cluster).all(), subject);
  }
}
