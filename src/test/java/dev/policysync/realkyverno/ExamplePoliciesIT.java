package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Rounds;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The example policies, all of them: Kyverno takes them, is ready for each, and nothing that it
/// writes or generates ever makes the agent write again.
class ExamplePoliciesIT extends WithKyverno {
  private static final int RUNS = Rounds.of(8, 20);

  private List<PolicyId> policies;

  @BeforeEach
  void haveTheExamples() throws IOException {
    createNamespace("shop");
    createNamespace("platform");
    var feed = Feeds.examples();
    insights.expects(feed);
    policies =
        Stream.of(feed.split("(?m)^---\n", -1))
            .filter(document -> document.contains("\nkind: "))
            .map(document -> Documents.policy(document).id())
            .toList();
  }

  @Test
  void examplePoliciesBecomeReadyAndAreNeverWrittenAgain() {
    var preview = agent.run("--dry-run");
    var first = agent.run();
    awaitTurn(agent);
    var second = agent.run();

    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "applied")).hasSize(policies.size() - 1);
    assertThat(policiesIn(preview, "waiting")).isEqualTo(policiesIn(first, "waiting"));
    assertThat(texts(second, "applied")).containsExactly("pod-security-baseline");
    policies.forEach(this::awaitReady);

    var log = cluster.auditLog();
    var closed = "closed-" + namespace;
    for (int i = 0; i < RUNS; i++) {
      if (i == RUNS / 2) {
        // Something for them to judge and generate, which moves their status.
        closeNetwork(closed);
        cluster.admin().post(pods(), pod("judged", "")).ok();
        await("a NetworkPolicy in " + closed, () -> generated(closed));
      }
      var run = agent.run();
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(run.summary().fields())
          .containsEntry("unchanged", Value.Numeric.of(policies.size()));
    }
    assertThat(log.writes())
        .filteredOn(write -> !write.resource().equals("namespaces"))
        .extracting(write -> write.resource())
        .containsExactly("pods");
    policies.forEach(this::awaitReady);
  }

  private void closeNetwork(String name) {
    cluster
        .admin()
        .post(
            "/api/v1/namespaces",
            Documents.yaml(
                "metadata: {name: %s, labels: {fernside.example/network: closed}}".formatted(name)))
        .ok();
  }

  private boolean generated(String closed) {
    var policies = "/apis/networking.k8s.io/v1/namespaces/" + closed + "/networkpolicies";
    return cluster.admin().get(policies).ok().items("items").size() == 1;
  }
}
