package dev.policysync.cluster.state;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.state.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The memory's text; that all of it is read as it was written is in `RunStateStoreContract`.
class RunStateJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");

  @Test
  void readsWhatTheVersionBeforeItWrote() {
    var runState =
        RunStateJson.read("{\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]},\"ownedBefore\":20}");

    assertThat(runState.begun()).containsExactly(clusterPolicyId("a"));
    assertThat(runState.removals())
        .isEqualTo(new RemovalHistory(Optional.of(20), Optional.empty(), List.of()));
    assertThat(runState.feeds()).isEqualTo(FeedHistory.NONE);
    assertThat(runState.failures()).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void writesTheMeasureWhereTheVersionBeforeItReadsIt() {
    var noted =
        RunState.NONE.withRemovals(
            RemovalHistory.NONE.with(new RemovalHistory.Note(Optional.of(20), 5, 0), NOW));

    assertThat(RunStateJson.write(noted))
        .contains(
            "{\"ownedBefore\":20,\"withheld\":{\"at\":\"2026-11-20T09:30:00Z\",\"count\":5}}");
  }

  @Test
  void takesAFewKilobytesForTheLongestHistories() {
    var removals = RemovalHistory.NONE;
    var feeds = FeedHistory.NONE;
    var source = SourceName.of("an-organization-with-a-long-name", "a-cluster-with-a-long-name");
    for (int i = 0; i < 1_000; i++) {
      var now = NOW.plus(Duration.ofMinutes(i * 5L));
      removals =
          removals.at(now).removing(1, new RemovalHistory.Note(Optional.of(1_000), 0, 1_000), now);
      feeds = feeds.writing(source, Digest.of(new byte[] {(byte) i}), now);
    }
    var runState = RunState.NONE.withRemovals(removals).withFeeds(feeds);

    var text = RunStateJson.write(runState).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(5_000);
    assertThat(RunStateJson.read(text)).isEqualTo(runState);
  }
}
