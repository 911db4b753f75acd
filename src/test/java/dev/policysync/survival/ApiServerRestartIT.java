package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// An API server that goes away in the middle of a run and comes back.
class ApiServerRestartIT extends EndToEnd {
  private static final int MANY = 12;

  @Test
  void endsWithASummaryAndTheNextRunIsInSync() throws IOException {
    insights.expects(
        Feeds.of(
            IntStream.range(0, MANY)
                .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
                .toArray(String[]::new)));
    Agent.Run interrupted;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(300));
      var process = agent.with("CONCURRENCY", "1").with("TIMEOUT", "50s").start();
      Awaitility.await("the agent to apply two policies")
          .atMost(TimeLimits.WAIT)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> webhook.calls() > 2);

      cluster.stopApiServer();
      cluster.startApiServer();

      interrupted = Agent.ended(process);
    }
    AgedLease.age(cluster.admin(), LEASE, Duration.ofMinutes(10));
    var next = agent.with("CONCURRENCY", "4").run();

    assertThat(interrupted.exitCode()).as(interrupted.all()).isIn(0, 1);
    assertThat(interrupted.summary().text("msg").orElse("")).startsWith("Policy sync");
    assertThat(
            interrupted.summary().items("applied").size()
                + interrupted.summary().items("failed").size()
                + interrupted.summary().items("notAttempted").size())
        .as(interrupted.all())
        .isEqualTo(MANY);
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(agent.run("diff", "--exit-code").exitCode()).isZero();
    assertThat(IntStream.range(0, MANY)).allMatch(i -> exists("clusterpolicies", "new-" + i));
  }
}
