package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Ctrl-C. SIGTERM does the same: [dev.policysync.endtoend.EndOfRunIT].
class InterruptIT extends EndToEnd {
  private static final int MANY = 12;

  @Test
  void stopsBetweenTwoWritesAndGivesTheLeaseBack() throws Exception {
    insights.expects(
        Feeds.of(
            IntStream.range(0, MANY)
                .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
                .toArray(String[]::new)));
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.hesitates(Duration.ofMillis(400));
      var process = agent.with("CONCURRENCY", "1").startInterruptible();
      Awaitility.await("the agent to write policies")
          .atMost(TimeLimits.WAIT)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> webhook.calls() > 1);

      Signals.send(process, "INT");
      var run = Agent.ended(process);

      assertThat(run.exitCode()).as(run.all()).isEqualTo(130);
      var applied = run.summary().items("applied").size();
      assertThat(applied).isBetween(1, MANY - 1);
      assertThat(run.summary().items("notAttempted"))
          .hasSize(MANY - applied)
          .allSatisfy(note -> assertThat(note.toString()).contains("signal"));
      assertThat(cluster.admin().get(LEASE).ok().mapping("spec").text("holderIdentity"))
          .contains("");
    }
  }
}
