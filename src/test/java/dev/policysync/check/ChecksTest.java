package dev.policysync.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.check.ClusterDiagnostics.Kyverno;
import dev.policysync.check.ClusterDiagnostics.LeaseState;
import dev.policysync.check.ClusterDiagnostics.Server;
import dev.policysync.check.PermissionChecks.Removals;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @ParameterizedTest
  @CsvSource({"v1.36.3, OK", "v1.27.0-gke.100, OK", "v1.26.15, FAILURE", "v1.9.0, FAILURE"})
  void judgesTheVersionOfKubernetes(String version, CheckStatus checkStatus) {
    cluster.server =
        new ProbeResult.Got<>(new Server("https://10.0.0.1/", version, Optional.empty()));

    assertThat(ofCluster("API server"))
        .extracting(CheckResult::status)
        .containsExactly(checkStatus);
  }

  @ParameterizedTest
  @CsvSource({"PT0.9S, OK", "PT5S, OK", "PT6S, WARNING", "PT-6S, WARNING"})
  void warnsOfAClockThatIsOff(Duration ahead, CheckStatus checkStatus) {
    cluster.server =
        new ProbeResult.Got<>(new Server("https://10.0.0.1/", "v1.36.3", Optional.of(ahead)));

    assertThat(ofCluster("API server"))
        .filteredOn(checkResult -> checkResult.subject().equals("API server clock"))
        .extracting(CheckResult::status)
        .containsExactly(checkStatus);
  }

  @Test
  void takesKindsThatOnlyNewerVersionsHaveForAllRight() {
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.NAMESPACED_MUTATING_POLICY)));

    assertThat(ofCluster("kinds"))
        .singleElement()
        .satisfies(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(CheckStatus.OK);
          assertThat(checkResult.found())
              .startsWith("20 of 21 kinds are served: ")
              .contains("not [NamespacedMutatingPolicy]");
        });
  }

  @Test
  void failsWhereNoneOfKyvernosKindsIsServed() {
    var kyvernos = EnumSet.allOf(PolicyKind.class);
    kyvernos.removeIf(kind -> !kind.group().endsWith("kyverno.io"));
    cluster.kinds = new ProbeResult.Got<>(FakeClusterDiagnostics.servedBut(kyvernos));

    assertThat(ofCluster("kinds"))
        .containsExactly(
            CheckResult.failure(
                "kinds",
                "none of Kyverno's kinds is served, only admissionregistration.k8s.io v1",
                "install Kyverno with its CRDs, or select the cluster that has it"));
  }

  @Test
  void failsWhereTheApiServerDoesNotKnowItsKinds() {
    var all = FakeClusterDiagnostics.allServed();
    cluster.kinds =
        new ProbeResult.Got<>(
            new ClusterDiagnostics.Kinds(
                all.versions(), Map.of(), Map.of(PolicyKind.CLUSTER_POLICY, "no current list")));

    assertThat(ofCluster("kinds"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.FAILURE, CheckStatus.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "'', , , OK",
    "pod-a, PT60S, PT3S, OK",
    "pod-a, PT60S, PT-2S, OK",
    "pod-a, PT60S, PT61S, WARNING",
    "pod-a, PT60S, , WARNING",
    "pod-a, PT24H, PT1S, FAILURE",
  })
  void judgesALease(String holder, Duration duration, Duration silence, CheckStatus checkStatus) {
    cluster.lease =
        new ProbeResult.Got<>(
            new LeaseState(
                "agents/lock",
                holder,
                Optional.ofNullable(duration),
                Optional.ofNullable(silence),
                "kubectl patch …"));

    assertThat(ofCluster("Lease")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  @Test
  void asksForEachVerbOnEachKind() {
    ofPermissions("policy permissions", Removals.WANTED);

    assertThat(cluster.asked).hasSize(PolicyKind.all().size() * 5).doesNotHaveDuplicates();
  }

  @Test
  void warnsOnlyOfWritesThatTheChartCanLeaveOut() {
    cluster
        .forbids("create deletingpolicies.policies.kyverno.io")
        .forbids("patch deletingpolicies.policies.kyverno.io")
        .forbids("delete deletingpolicies.policies.kyverno.io");

    assertThat(ofPermissions("policy permissions", Removals.WANTED))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING, CheckStatus.OK);
  }

  @Test
  void warnsOnlyOfPermissionsOnAKindThatIsNotServed() {
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.MUTATING_POLICY)));
    cluster.forbids("list mutatingpolicies.policies.kyverno.io");

    assertThat(ofPermissions("policy permissions", Removals.WANTED))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING, CheckStatus.OK);
  }

  @Test
  void tellsOnceThatPermissionsCannotBeAsked() {
    cluster.reviewsFail = Optional.of("ask what we may do: HTTP 403; add the verb create");

    assertThat(ofPermissions("policy permissions", Removals.WANTED))
        .containsExactly(
            CheckResult.unknown(
                "policy permissions", "ask what we may do: HTTP 403; add the verb create"));
  }

  @Test
  void asksForNoReportsThatAreNotServed() {
    cluster.reportGroups = new ProbeResult.Got<>(Set.of());

    assertThat(ofPermissions("report permissions", Removals.WANTED))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK);
    assertThat(cluster.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"3, OK", "1, WARNING", "0, FAILURE"})
  void judgesKyvernosReplicas(int ready, CheckStatus checkStatus) {
    cluster.kyverno =
        new ProbeResult.Got<>(new Kyverno("kyverno", "kyverno/x", "v1.19.0", 3, ready));

    assertThat(ofKyverno("Kyverno")).extracting(CheckResult::status).containsExactly(checkStatus);
  }

  @Test
  void failsOnAWebhookThatPointsNowhere() {
    cluster.webhooks.put(
        "kyverno-exception-validating-webhook-cfg", new ProbeResult.Got<>(List.of("a/b", "")));

    assertThat(ofKyverno("Kyverno's webhooks"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK, CheckStatus.FAILURE);
  }

  @Test
  void warnsOfAKyvernoWhoseWebhooksAreNotCalled() {
    cluster.silence = new ProbeResult.Got<>(Duration.ofMinutes(10));

    assertThat(ofKyverno("Kyverno's health"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING);
  }

  @Test
  void failsWhereADryRunIsRefused() {
    cluster.tried =
        new ProbeResult.Failed<>("create: HTTP 500, failed calling webhook; is Kyverno running?");

    assertThat(ofKyverno("dry run"))
        .containsExactly(
            CheckResult.failure(
                "dry run", "create: HTTP 500, failed calling webhook", "is Kyverno running?"));
  }

  private List<CheckResult> ofCluster(String subject) {
    return ask(new ClusterChecks(cluster).all(), subject);
  }

  private List<CheckResult> ofPermissions(String subject, Removals removals) {
    return ask(new PermissionChecks(cluster, "agents", removals).all(), subject);
  }

  private List<CheckResult> ofKyverno(String subject) {
    return ask(new KyvernoChecks(cluster).all(), subject);
  }

  private static List<CheckResult> ask(List<Check> questions, String subject) {
    return questions.stream()
        .filter(check -> check.subject().equals(subject))
        .findFirst()
        .orElseThrow()
        .asking()
        .ask();
  }
}
