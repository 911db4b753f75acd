package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// An etcd that stands still in the middle of a run, as with a disk that hangs.
class EtcdStallIT extends EndToEnd {
  private static final int MANY = 8;
  private static final Duration STALL = Duration.ofSeconds(4);

  @Test
  void costsNoMoreThanItsTime() throws IOException {
    insights.expects(feed());
    Agent.Run run;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(200));
      var process = agent.with("CONCURRENCY", "1").start();
      awaitWrites(webhook);

      try (var _ = cluster.stallEtcd()) {
        Awaitility.await("the time that it stands still")
            .pollDelay(STALL)
            .atMost(TimeLimits.WAIT)
            .until(process::isAlive);
      }

      run = Agent.ended(process);
    }

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(MANY);
    assertThat(agent.run("diff", "--exit-code").exitCode()).isZero();
  }

  @Test
  void endsWithTheRunsTimeAndTheNextRunGoesOn() throws IOException {
    insights.expects(feed());
    Agent.Run run;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(200));
      var process =
          agent
              .with("CONCURRENCY", "1")
              .with("TIMEOUT", TimeLimits.setting(Duration.ofSeconds(6)))
              .start();
      awaitWrites(webhook);

      try (var _ = cluster.stallEtcd()) {
        run = Agent.ended(process);
      }
    }
    cluster.admin().delete(LEASE); // which it could not give back, and nobody waits a minute here
    var next = agent.with("CONCURRENCY", "4").with("TIMEOUT", "4m").run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(policiesIn(run, "notAttempted")).isNotEmpty();
    assertThat(run.summary().items("notAttempted").toString())
        .contains("the run's TIMEOUT was reached");
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(agent.run("diff", "--exit-code").exitCode()).isZero();
  }

  private static void awaitWrites(AdmissionWebhook webhook) {
    Awaitility.await("the agent to write")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> webhook.calls() > 2);
  }

  private static String feed() {
    return Feeds.of(
        IntStream.range(0, MANY)
            .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
            .toArray(String[]::new));
  }
}
