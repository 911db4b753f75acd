package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Servers that are there, and too slow: a run ends in its time and says what it was waiting for.
class SlowServersIT extends FaultyEnvironment {
  @Test
  void aFeedThatDripsOneByteASecondIsGivenUpInTime() {
    insights.expects(clusterPolicy("never", "Audit"));
    beforeApi.becomes(_ -> new Fault.Drip());

    var run = inTime(Duration.ofSeconds(4));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(reasons(run)).hasSize(1);
    assertThat(reasons(run).getFirst())
        .startsWith("the run's TIMEOUT was reached: GET http://127.0.0.1:")
        .endsWith(": did not complete the response in time");
    assertThat(audit.writes()).isEmpty();
  }

  @Test
  void aListThatIsNeverAnsweredEndsWithTheRunsTime() {
    insights.expects(clusterPolicy("never", "Audit"));
    beforeCluster.becomes(asked ->
        asked.path().endsWith("/clusterpolicies") ? new Fault.Silence() : new Fault.None());

    var run = inTime(Duration.ofSeconds(4));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.all()).contains("failed: the run's TIMEOUT was reached");
    assertThat(exists("clusterpolicies", "never")).isFalse();
  }

  @Test
  void aWriteThatIsNeverAnsweredEndsWithTheRunsTimeAndTheNextRunLooks() {
    insights.expects(Feeds.of(clusterPolicy("done", "Audit"), clusterPolicy("silent", "Audit")));
    beforeCluster.becomes(
        asked -> asked.path().endsWith("/silent") ? new Fault.Silence() : new Fault.None());

    var silent = inTime(Duration.ofSeconds(8));
    beforeCluster.becomes(FaultSchedule.CALM);
    var next = agent.with("TIMEOUT", "1m").run();

    assertThat(silent.exitCode()).isEqualTo(1);
    assertThat(texts(silent, "applied")).containsExactly("done");
    assertThat(texts(silent, "failed")).containsExactly("silent");
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(next.summary().field("unchanged")).contains(Value.Numeric.of(2));
    assertThat(audit.writes()).filteredOn(entry -> entry.name().equals("silent")).hasSize(1);
  }

  @Test
  void anApiThatTakesNoStatusCostsNoMoreForManyThanForOne() {
    insights.expects(
        Feeds.of(
            IntStream.range(0, 40)
                .mapToObj(i -> clusterPolicy("many-" + i, "Audit"))
                .toArray(String[]::new)));
    beforeApi.becomes(asked -> asked.reads() ? new Fault.None() : new Fault.Silence());

    var silent = inTime(Duration.ofSeconds(30));
    var asked = beforeApi.asked("PUT ");
    beforeApi.becomes(FaultSchedule.CALM);
    var next = agent.run();

    assertThat(silent.exitCode()).as(silent.all()).isZero();
    assertThat(texts(silent, "applied")).hasSize(40);
    assertThat(texts(silent, "warnings"))
        .containsExactly("the API did not accept 40 statuses; the next run retries");
    assertThat(asked).isLessThanOrEqualTo(8);
    assertThat(next.exitCode()).as(next.all()).isZero();
    assertThat(beforeApi.asked("PUT ")).isEqualTo(40);
  }

  private Agent.Run inTime(Duration onAFastMachine) {
    var timeout = TimeLimits.scaled(onAFastMachine);
    agent.with("TIMEOUT", timeout.toMillis() + "ms");
    var began = System.nanoTime();
    var run = agent.run();
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .as(run.all())
        .isLessThan(timeout.plus(TimeLimits.scaled(GRACE)));
    return run;
  }
}
