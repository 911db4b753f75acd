package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// How a run ends that cannot do all of its work: between two writes, with the Lease given back and
/// every policy accounted for.
class EndOfRunIT extends EndToEnd {
  private static final int MANY = 12;
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/kyverno-policy-sync-lock";

  @Test
  void stopsBetweenTwoWritesWhenItIsToldTo() throws IOException {
    insights.expects(many());
    agent.with("CONCURRENCY", "1");
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(400));
      var log = cluster.auditLog();
      var process = agent.start();
      Awaitility.await("the agent to apply two policies")
          .atMost(TimeLimits.WAIT)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> applied(log) >= 2);
      var told = System.nanoTime();

      process.toHandle().destroy();
      var run = Agent.ended(process);

      assertThat(Duration.ofNanos(System.nanoTime() - told))
          .isLessThan(TimeLimits.scaled(Duration.ofSeconds(5)));
      assertThat(run.exitCode()).as(run.all()).isEqualTo(143);
      assertThat(run.summary().items("notAttempted").toString()).contains("signal");
      assertAccountedFor(run);
    }
  }

  @Test
  void stopsAtItsDeadline() {
    insights.expects(many());
    // All of them take eighteen seconds on any machine; the slowest starts to write within ten.
    agent.with("CONCURRENCY", "1").with("TIMEOUT", "15s");
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(1500));

      var run = agent.run();

      assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
      assertAccountedFor(run);
    }
    assertThat(texts(agent.with("TIMEOUT", "4m").run(), "failed")).isEmpty();
  }

  @Test
  void doesNotWaitForAFinalizerNorCallRemovedWhatIsThere() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("held", "Audit")));
    agent.run();
    finalizers("[\"example.com/hold\"]");
    insights.expects(clusterPolicy("stays", "Audit"));

    var removing = agent.run();
    var log = cluster.auditLog();
    var waiting = agent.run();
    insights.expects(
        Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("held", "Audit"), "# once more\n"));
    var wanted = agent.run();
    finalizers("[]");
    var again = agent.run();

    assertThat(changes(removing)).isEmpty();
    assertThat(policiesIn(removing, "terminating")).containsExactly("ClusterPolicy/held");
    assertThat(removing.summary().items("terminating").toString())
        .contains("waits for its finalizers (example.com/hold)");
    assertThat(waiting.exitCode()).as(waiting.all()).isZero();
    assertThat(changes(waiting)).isEmpty();
    assertThat(policiesIn(waiting, "terminating")).containsExactly("ClusterPolicy/held");
    assertThat(wanted.exitCode()).isEqualTo(1);
    assertThat(wanted.summary().items("errors").toString()).contains("waits for a finalizer");
    assertThat(log.writes())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .filteredOn(entry -> entry.resource().startsWith("clusterpolicies"))
        .extracting(AuditLog.Entry::verb)
        .containsExactly("patch");
    assertThat(changes(again)).containsExactly("applied ClusterPolicy/held new");
  }

  private void assertAccountedFor(Agent.Run run) {
    var applied = run.summary().items("applied").size();
    var left = run.summary().items("notAttempted").size();
    assertThat(applied).isBetween(1, MANY - 1);
    assertThat(applied + left).isEqualTo(MANY);
    assertThat(IntStream.range(0, MANY).filter(i -> exists("clusterpolicies", "new-" + i)).count())
        .isEqualTo(applied);
    assertThat(cluster.admin().get(LEASE).ok().mapping("spec").text("holderIdentity").orElse(""))
        .isEmpty();
  }

  private void finalizers(String list) {
    patch(
        "clusterpolicies",
        "held",
        "[{\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\": " + list + "}]");
  }

  private static long applied(AuditLog log) {
    return log.writes().stream()
        .filter(entry -> entry.resource().startsWith("clusterpolicies"))
        .filter(entry -> entry.userAgent().startsWith("policy-sync/"))
        .count();
  }

  private static String many() {
    return Feeds.of(
        IntStream.range(0, MANY)
            .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
            .toArray(String[]::new));
  }
}
