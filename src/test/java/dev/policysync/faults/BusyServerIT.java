package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.faults.Fault.None;
import dev.policysync.faults.Fault.Refused;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Servers that ask for patience, or fail for a moment.
class BusyServerIT extends FaultyEnvironment {
  private static final Optional<Integer> NOTHING = Optional.empty();

  @BeforeEach
  void expectTwo() {
    insights.expects(Feeds.of(clusterPolicy("one", "Audit"), validatingPolicy("two")));
  }

  @Test
  void aStormOfTooManyRequestsIsWaitedOut() {
    beforeCluster.becomes(asked ->
        asked.repetition() < 2
            ? new Refused(429, Optional.of(asked.reads() ? 0 : 1), "too many requests")
            : new None());

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).containsExactly("one", "two");
    assertThat(beforeCluster.story()).hasSizeGreaterThan(40);
  }

  @Test
  void aStormThatDoesNotEndEndsWithTheRunsTime() {
    beforeCluster.becomes(_ -> new Refused(429, Optional.of(1), "too many requests"));

    var run = agent.with("TIMEOUT", TimeLimits.setting(Duration.ofSeconds(4))).run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(reasons(run))
        .singleElement()
        .asString()
        .matches(
            "discover the served kinds: HTTP 429, too many requests; tried (?:[2-9]|10) times"
                + " within \\d+ s, the next run tries again");
    assertThat(beforeCluster.asked("GET /apis")).isBetween(2, 40);
  }

  @Test
  void anApiServerWhoseCachesAreNotReadyIsAskedAgain() {
    beforeCluster.becomes(asked ->
        asked.reads() && asked.repetition() == 0
            ? new Refused(503, NOTHING, "storage is (re)initializing")
            : new None());

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).containsExactly("one", "two");
  }

  @Test
  void anEtcdWithoutALeaderFailsWritesForNowAndReadsNotAtAll() {
    beforeCluster.becomes(asked ->
        asked.repetition() == 0 && (asked.reads() || asked.path().endsWith("/one"))
            ? new Refused(500, NOTHING, "etcdserver: leader changed")
            : new None());

    var during = agent.run();
    beforeCluster.becomes(FaultSchedule.CALM);
    var after = agent.run();

    assertThat(during.exitCode()).isEqualTo(1);
    assertThat(texts(during, "applied")).containsExactly("two");
    assertThat(reasons(during))
        .containsExactly("apply ClusterPolicy/one: HTTP 500, etcdserver: leader changed");
    assertThat(during.all()).contains("\"retryable\":true");
    assertThat(changes(after)).containsExactly("applied ClusterPolicy/one new");
  }

  @Test
  void aRemoteApiThatAsksForTooMuchPatienceIsLeftToTheNextRun() {
    beforeApi.becomes(_ -> new Refused(429, Optional.of(600), "slow down"));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(reasons(run).getFirst())
        .endsWith(
            ": returned 429: too many requests; the next run retries, set START_JITTER to spread"
                + " the runs of a fleet; Retry-After is 600 s, longer than this run can wait");
    assertThat(beforeApi.asked("GET ")).isEqualTo(1);
    assertThat(audit.writes()).isEmpty();
  }
}
