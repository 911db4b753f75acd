package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A fail-closed webhook that is dead in one of three ways: the run believes it after three
/// failures, leaves the rest of the kinds that it judges and every removal alone, and the next run
/// heals.
class DeadWebhookIT extends EndToEnd {
  private static final String CONFIGURATIONS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  @BeforeEach
  void eightPoliciesComeAndOneGoes() {
    insights.expects(Feeds.of(clusterPolicy("new-0", "Audit"), clusterPolicy("goes", "Audit")));
    assertThat(agent.with("CONCURRENCY", "1").run().exitCode()).isZero();
    insights.expects(
        Feeds.of(
            IntStream.rangeClosed(0, 8)
                .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
                .toArray(String[]::new)));
  }

  @Test
  void aWebhookThatHangsStopsTheRunEarly() {
    Agent.Run dead;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofSeconds(5));
      dead = agent.run();
      webhook.hesitates(Duration.ZERO);
    }

    stoppedEarly(dead, "context deadline exceeded", "lower CONCURRENCY to reduce the load");
    heals();
  }

  @Test
  void aWebhookThatRefusesConnectionsStopsTheRunEarly() {
    Agent.Run dead;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.stops();
      dead = agent.run();
    }

    stoppedEarly(dead, "connection refused", "; check that Kyverno is running");
    heals();
  }

  @Test
  void aWebhookWithoutAServiceStopsTheRunEarly() {
    cluster
        .admin()
        .post(
            CONFIGURATIONS,
            Documents.yaml(
                """
                metadata: {name: gone}
                webhooks:
                  - name: gone.example.com
                    clientConfig: {service: {namespace: kyverno, name: kyverno-svc, path: /policy}}
                    rules:
                      - {apiGroups: [kyverno.io], apiVersions: ["*"], operations: ["*"], resources: [clusterpolicies]}
                    sideEffects: None
                    admissionReviewVersions: [v1]
                """))
        .ok();
    awaitStatusOfAnApply(500);

    var dead = agent.run();
    cluster.admin().delete(CONFIGURATIONS + "/gone").ok();
    awaitStatusOfAnApply(201);

    stoppedEarly(dead, "service \"kyverno-svc\" not found", "; check that Kyverno is running");
    heals();
  }

  @Test
  void aDeadWebhookOfOneKindStopsNoOtherKind() {
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_CLEANUP_POLICY)) {
      webhook.stops();
      insights.expects(cleanupPoliciesAnd(validatingPolicy("cel")));

      var dead = agent.run();

      assertThat(dead.exitCode()).as(dead.all()).isEqualTo(1);
      assertThat(texts(dead, "applied")).containsExactly("cel");
      assertThat(texts(dead, "failed")).containsExactly("clean-0", "clean-1", "clean-2");
      assertThat(notes(dead))
          .containsExactly(
              "ClusterCleanupPolicy/clean-3: an admission webhook cannot be reached:"
                  + " said.example.com",
              "ClusterCleanupPolicy/clean-4: an admission webhook cannot be reached:"
                  + " said.example.com",
              "ClusterPolicy/goes: a policy could not be applied because of a temporary failure");
      assertThat(exists("clusterpolicies", "goes")).isTrue();

      insights.expects(cleanupPoliciesAnd(validatingPolicy("cel"), validatingPolicy("cel-new")));
      var later = agent.run();

      assertThat(texts(later, "applied")).as(later.all()).containsExactly("cel-new");
    }
    var healed = agent.run();

    assertThat(healed.exitCode()).as(healed.all()).isZero();
    assertThat(texts(healed, "applied"))
        .containsExactly("clean-0", "clean-1", "clean-2", "clean-3", "clean-4");
    assertThat(texts(healed, "removed")).containsExactly("goes");
  }

  private static String cleanupPoliciesAnd(String... others) {
    var example = KindExamples.of(PolicyKind.CLUSTER_CLEANUP_POLICY, "none").content();
    var documents =
        Stream.concat(
            Stream.of(clusterPolicy("new-0", "Audit")),
            IntStream.range(0, 5)
                .mapToObj(i -> example.with("metadata", Documents.yaml("{name: clean-" + i + "}")))
                .map(YamlText::write));
    return Feeds.of(Stream.concat(documents, Stream.of(others)).toArray(String[]::new));
  }

  private static List<String> notes(Agent.Run run) {
    return run.summary().items("notAttempted").stream()
        .map(Value.Mapping.class::cast)
        .map(note -> note.text("policy").orElse("") + ": " + note.text("reason").orElse(""))
        .toList();
  }

  private void stoppedEarly(Agent.Run dead, String why, String advice) {
    assertThat(dead.exitCode()).as(dead.all()).isEqualTo(1);
    assertThat(texts(dead, "failed")).containsExactly("new-1", "new-2", "new-3");
    assertThat(policiesIn(dead, "notAttempted"))
        .containsExactly(
            Stream.concat(
                    IntStream.rangeClosed(4, 8).mapToObj(i -> "ClusterPolicy/new-" + i),
                    Stream.of("ClusterPolicy/goes"))
                .toArray(String[]::new));
    assertThat(dead.summary().items("errors"))
        .allSatisfy(error -> {
          var reason = ((Value.Mapping) error).text("reason").orElseThrow();
          assertThat(reason)
              .startsWith("apply ClusterPolicy/new-")
              .contains("HTTP 500, Internal error occurred: failed calling webhook ")
              .contains(why)
              .endsWith(advice);
        });
    assertThat(exists("clusterpolicies", "goes")).isTrue();
  }

  private void heals() {
    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(8);
    assertThat(texts(run, "removed")).containsExactly("goes");
  }

  private void awaitStatusOfAnApply(int status) {
    Awaitility.await("an apply to be answered " + status)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                cluster
                    .admin()
                    .apply(
                        "/apis/kyverno.io/v1/clusterpolicies/tried?dryRun=All&fieldManager=test",
                        clusterPolicy("tried", "Audit"))
                    .status(),
            answered -> answered == status);
  }
}
