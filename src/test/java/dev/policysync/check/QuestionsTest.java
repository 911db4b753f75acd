package dev.policysync.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.check.Cluster.Kyverno;
import dev.policysync.check.Cluster.LeaseState;
import dev.policysync.check.Cluster.Server;
import dev.policysync.check.PermissionQuestions.Removals;
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

class QuestionsTest {
  private final FakeCluster cluster = new FakeCluster();

  @ParameterizedTest
  @CsvSource({"v1.36.3, OK", "v1.27.0-gke.100, OK", "v1.26.15, FAILURE", "v1.9.0, FAILURE"})
  void judgesTheVersionOfKubernetes(String version, Verdict verdict) {
    cluster.server = new Reply.Got<>(new Server("https://10.0.0.1/", version, Optional.empty()));

    assertThat(ofCluster("API server")).extracting(Answer::verdict).containsExactly(verdict);
  }

  @ParameterizedTest
  @CsvSource({"PT0.9S, OK", "PT5S, OK", "PT6S, WARNING", "PT-6S, WARNING"})
  void warnsOfAClockThatIsOff(Duration ahead, Verdict verdict) {
    cluster.server =
        new Reply.Got<>(new Server("https://10.0.0.1/", "v1.36.3", Optional.of(ahead)));

    assertThat(ofCluster("API server"))
        .filteredOn(answer -> answer.subject().equals("API server clock"))
        .extracting(Answer::verdict)
        .containsExactly(verdict);
  }

  @Test
  void takesKindsThatOnlyNewerVersionsHaveForAllRight() {
    cluster.kinds =
        new Reply.Got<>(FakeCluster.servedBut(EnumSet.of(PolicyKind.NAMESPACED_MUTATING_POLICY)));

    assertThat(ofCluster("kinds"))
        .singleElement()
        .satisfies(answer -> {
          assertThat(answer.verdict()).isEqualTo(Verdict.OK);
          assertThat(answer.found())
              .startsWith("20 of 21 kinds are served: ")
              .contains("not [NamespacedMutatingPolicy]");
        });
  }

  @Test
  void failsWhereNoneOfKyvernosKindsIsServed() {
    var kyvernos = EnumSet.allOf(PolicyKind.class);
    kyvernos.removeIf(kind -> !kind.group().endsWith("kyverno.io"));
    cluster.kinds = new Reply.Got<>(FakeCluster.servedBut(kyvernos));

    assertThat(ofCluster("kinds"))
        .containsExactly(
            Answer.failure(
                "kinds",
                "none of Kyverno's kinds is served, only admissionregistration.k8s.io v1",
                "install Kyverno with its CRDs, or select the cluster that has it"));
  }

  @Test
  void failsWhereTheApiServerDoesNotKnowItsKinds() {
    var all = FakeCluster.allServed();
    cluster.kinds =
        new Reply.Got<>(
            new Cluster.Kinds(
                all.versions(), Map.of(), Map.of(PolicyKind.CLUSTER_POLICY, "no current list")));

    assertThat(ofCluster("kinds"))
        .extracting(Answer::verdict)
        .containsExactly(Verdict.FAILURE, Verdict.OK);
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
  void judgesALease(String holder, Duration duration, Duration silence, Verdict verdict) {
    cluster.lease =
        new Reply.Got<>(
            new LeaseState(
                "agents/lock",
                holder,
                Optional.ofNullable(duration),
                Optional.ofNullable(silence),
                "kubectl patch …"));

    assertThat(ofCluster("Lease")).extracting(Answer::verdict).containsExactly(verdict);
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
        .extracting(Answer::verdict)
        .containsExactly(Verdict.WARNING, Verdict.OK);
  }

  @Test
  void warnsOnlyOfPermissionsOnAKindThatIsNotServed() {
    cluster.kinds = new Reply.Got<>(FakeCluster.servedBut(EnumSet.of(PolicyKind.MUTATING_POLICY)));
    cluster.forbids("list mutatingpolicies.policies.kyverno.io");

    assertThat(ofPermissions("policy permissions", Removals.WANTED))
        .extracting(Answer::verdict)
        .containsExactly(Verdict.WARNING, Verdict.OK);
  }

  @Test
  void tellsOnceThatPermissionsCannotBeAsked() {
    cluster.reviewsFail = Optional.of("ask what we may do: HTTP 403; add the verb create");

    assertThat(ofPermissions("policy permissions", Removals.WANTED))
        .containsExactly(
            Answer.unknown(
                "policy permissions", "ask what we may do: HTTP 403; add the verb create"));
  }

  @Test
  void asksForNoReportsThatAreNotServed() {
    cluster.reportGroups = new Reply.Got<>(Set.of());

    assertThat(ofPermissions("report permissions", Removals.WANTED))
        .extracting(Answer::verdict)
        .containsExactly(Verdict.OK);
    assertThat(cluster.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"3, OK", "1, WARNING", "0, FAILURE"})
  void judgesKyvernosReplicas(int ready, Verdict verdict) {
    cluster.kyverno = new Reply.Got<>(new Kyverno("kyverno", "kyverno/x", "v1.19.0", 3, ready));

    assertThat(ofKyverno("Kyverno")).extracting(Answer::verdict).containsExactly(verdict);
  }

  @Test
  void failsOnAWebhookThatPointsNowhere() {
    cluster.webhooks.put(
        "kyverno-exception-validating-webhook-cfg", new Reply.Got<>(List.of("a/b", "")));

    assertThat(ofKyverno("Kyverno's webhooks"))
        .extracting(Answer::verdict)
        .containsExactly(Verdict.OK, Verdict.FAILURE);
  }

  @Test
  void warnsOfAKyvernoWhoseWebhooksAreNotCalled() {
    cluster.silence = new Reply.Got<>(Duration.ofMinutes(10));

    assertThat(ofKyverno("Kyverno's health"))
        .extracting(Answer::verdict)
        .containsExactly(Verdict.WARNING);
  }

  @Test
  void failsWhereADryRunIsRefused() {
    cluster.tried =
        new Reply.Failed<>("create: HTTP 500, failed calling webhook; is Kyverno running?");

    assertThat(ofKyverno("dry run"))
        .containsExactly(
            Answer.failure(
                "dry run", "create: HTTP 500, failed calling webhook", "is Kyverno running?"));
  }

  private List<Answer> ofCluster(String subject) {
    return ask(new ClusterQuestions(cluster).all(), subject);
  }

  private List<Answer> ofPermissions(String subject, Removals removals) {
    return ask(new PermissionQuestions(cluster, "agents", removals).all(), subject);
  }

  private List<Answer> ofKyverno(String subject) {
    return ask(new KyvernoQuestions(cluster).all(), subject);
  }

  private static List<Answer> ask(List<Question> questions, String subject) {
    return questions.stream()
        .filter(question -> question.subject().equals(subject))
        .findFirst()
        .orElseThrow()
        .asking()
        .ask();
  }
}
