package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is still done where a policy could not be applied: never end in "removals succeed, applies
/// fail".
class FailedApplyIT extends EndToEnd {
  @Test
  void removesNothingWhileAWebhookIsDown() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Enforce"));
    var log = cluster.auditLog();

    Agent.Run down;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.stops();
      down = agent.run();
    }
    var up = agent.run();

    assertThat(down.exitCode()).as(down.all()).isEqualTo(1);
    assertThat(texts(down, "failed")).containsExactly("stays");
    assertThat(policiesIn(down, "notAttempted")).containsExactly("ClusterPolicy/goes");
    assertThat(down.all()).contains("\"retryable\":true");
    assertThat(changes(up))
        .containsExactly(
            "updated ClusterPolicy/stays changed", "removed ClusterPolicy/goes gone from feed");
    assertThat(log.writes())
        .filteredOn(entry -> entry.verb().equals("delete") && entry.name().equals("goes"))
        .hasSize(1);
  }

  @Test
  void stopsEarlyWhileAWebhookIsDown() {
    var names = IntStream.range(0, 8).mapToObj(i -> "new-" + i).toList();
    insights.expects(
        Feeds.of(names.stream().map(name -> clusterPolicy(name, "Audit")).toArray(String[]::new)));
    agent.with("CONCURRENCY", "1");
    var log = cluster.auditLog();

    Agent.Run down;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.stops();
      down = agent.run();
    }
    var up = agent.run();

    assertThat(down.exitCode()).isEqualTo(1);
    assertThat(texts(down, "failed")).containsExactly("new-0", "new-1", "new-2");
    assertThat(policiesIn(down, "notAttempted")).hasSize(5);
    assertThat(texts(up, "applied")).containsExactlyElementsOf(names);
    assertThat(log.entries())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/") && entry.status() == 500)
        .hasSize(3);
  }

  @Test
  void goesOnRemovingWhereOnePolicyIsRefusedForGood() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Sometimes"));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(texts(run, "failed")).containsExactly("stays");
    assertThat(texts(run, "removed")).containsExactly("goes");
    assertThat(exists("clusterpolicies", "stays")).isTrue();
  }

  @Test
  void keepsAPolicyWhoseSuccessorOfAnotherKindIsRefused() {
    insights.expects(clusterPolicy("moves", "Audit"));
    agent.run();
    insights.expects(validatingPolicy("moves").replace("[Audit]", "[Sometimes]"));

    var refused = agent.run();
    var kept = exists("clusterpolicies", "moves");
    insights.expects(validatingPolicy("moves"));
    var applied = agent.run();
    var moved = settle();

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(policiesIn(refused, "waiting")).containsExactly("ClusterPolicy/moves");
    assertThat(kept).isTrue();
    assertThat(changes(applied)).containsExactly("applied ValidatingPolicy/moves new");
    assertThat(changes(moved)).containsExactly("removed ClusterPolicy/moves gone from feed");
  }
}
