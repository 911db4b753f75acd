package dev.policysync.remote.cluster.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import dev.policysync.inspect.KyvernoChecks;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.inspect.WebhookChecks;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.policy.ClusterFullPolicies;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What `check` learns of Kyverno and its webhooks on a real API server that has none.
@RealCluster
class WebhookProbeIT {
  private Sandbox sandbox;
  private AgentRole agent;

  @BeforeEach
  void begin(Sandbox sandbox) {
    this.sandbox = sandbox;
    agent = new AgentRole(sandbox);
    agent.allowAll();
  }

  @Test
  void asksNoMoreOfKyvernoThanItMay() {
    var cluster = agent.clusterProbe();

    var answers =
        Stream.of(
                new KyvernoChecks(cluster).all(),
                new WebhookChecks(
                        cluster, probe(), new ClusterFullPolicies(agent.connect()), Set.of())
                    .all())
            .flatMap(questions -> questions.stream())
            .flatMap(question -> question.run().ask().stream())
            .toList();

    assertThat(answers)
        .filteredOn(
            checkResult -> Set.of("Kyverno", "Kyverno's webhooks").contains(checkResult.subject()))
        .hasSize(2)
        .allSatisfy(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(CheckStatus.UNKNOWN);
          assertThat(checkResult.found()).contains("HTTP 403");
          assertThat(checkResult.fix()).contains("add the verb get on");
        });
    assertThat(answers)
        .filteredOn(checkResult -> checkResult.subject().equals("dry run"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK);
  }

  @Test
  void leavesNothingOfADryRunBehind() {
    var probe = probe();

    for (var kind : List.of(PolicyKind.CLUSTER_POLICY, PolicyKind.VALIDATING_POLICY)) {
      assertThat(probe.tryOut(kind, "v1")).isInstanceOf(ProbeResult.Got.class);
      var path = "/apis/" + kind.group() + "/v1/" + kind.plural();
      assertThat(sandbox.admin().get(path).ok().items("items")).isEmpty();
    }
  }

  private WebhookProbe probe() {
    return new WebhookProbe(agent.connect(), Clock.systemUTC());
  }
}
