package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Kyverno is gone and its webhooks are not, so nothing can be applied, but everything removed: the
/// run ends early without a removal, and the next one with a Kyverno heals.
class StoppedKyvernoIT extends WithKyverno {
  private static final int POLICIES = 20;

  @BeforeEach
  void manyPoliciesComeAndOneGoes() {
    insights.expects(Feeds.of(clusterPolicy("new-00", "Audit"), clusterPolicy("goes", "Audit")));
    assertThat(agent.with("CONCURRENCY", "1").run().exitCode()).isZero();
    insights.expects(
        Feeds.of(
            IntStream.range(0, POLICIES)
                .mapToObj(i -> clusterPolicy("new-%02d".formatted(i), "Audit"))
                .toArray(String[]::new)));
  }

  @Test
  void aKyvernoStoppedBeforeARunEndsItEarly() {
    kyverno.kill();

    var run = agent.run();

    assertEndedEarly(run);
    assertThat(texts(run, "failed")).containsExactly("new-01", "new-02", "new-03");
    assertThat(policiesIn(run, "notAttempted")).hasSize(POLICIES - 4 + 1);
    assertHeals(POLICIES - 1);
  }

  @Test
  void aKyvernoStoppedDuringARunEndsItEarly() throws IOException {
    var running = agent.start();
    await("the first writes", () -> exists("clusterpolicies", "new-03"));
    kyverno.kill();

    var run = Agent.ended(running);

    assertEndedEarly(run);
    var applied = texts(run, "applied").size();
    assertThat(applied).isGreaterThanOrEqualTo(3);
    // Three of one webhook; the first may have been on its way to the other that Kyverno has for
    // policies.
    var failed = texts(run, "failed").size();
    assertThat(failed).isBetween(3, 4);
    assertThat(policiesIn(run, "notAttempted")).hasSize(POLICIES - 1 - applied - failed + 1);
    assertHeals(POLICIES - 1 - applied);
  }

  private void assertEndedEarly(Agent.Run run) {
    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(policiesIn(run, "notAttempted"))
        .contains("ClusterPolicy/new-19", "ClusterPolicy/goes");
    assertThat(run.summary().items("errors"))
        .allSatisfy(error ->
            assertThat(((Value.Mapping) error).text("reason").orElseThrow())
                .containsPattern("failed calling webhook \"(mutate|validate)-policy.kyverno.svc\"")
                .endsWith("; check that Kyverno is running"));
    assertThat(exists("clusterpolicies", "goes")).isTrue();
  }

  private void assertHeals(int missing) {
    kyverno.start();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).hasSize(missing);
    assertThat(texts(run, "removed")).containsExactly("goes");
    assertThat(agent.run().summary().fields())
        .containsEntry("unchanged", Value.Numeric.of(POLICIES));
  }
}
