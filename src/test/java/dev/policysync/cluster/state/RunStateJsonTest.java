package dev.policysync.cluster.state;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.history.DriftHistory;
import dev.policysync.plan.history.FeedHistory;
import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.execution.FailureHistory.Streak;
import dev.policysync.sync.state.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The memory's text; that all of it is read as it was written is in `RunStateStoreContract`.
class RunStateJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Instant SINCE = Instant.parse("2026-11-22T05:00:00Z");

  @Test
  void writesFailuresOfTheSameRunsTogether() {
    var failures =
        new FailureHistory(
            new TreeMap<>(
                Map.of(
                    clusterPolicyId("a"), new Streak(SINCE, 7),
                    clusterPolicyId("b"), new Streak(SINCE, 7))));

    assertThat(RunStateJson.write(memory(List.of(), failures)))
        .contains(
            "{\"failures\":[{\"policies\":{\"ClusterPolicy.kyverno.io\":[\"a\",\"b\"]},\"runs\":7,"
                + "\"since\":\"2026-11-22T05:00:00Z\"}]}");
  }

  @Test
  void readsWhatAVersionNotedThatKnewNoFailures() {
    var text = "{\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]},\"ownedBefore\":20}";

    var runState = RunStateJson.read(text);

    assertThat(runState.removals().ownedBefore()).contains(20);
    assertThat(runState.begun()).containsExactly(clusterPolicyId("a"));
    assertThat(runState.failures()).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void leavesOutFailuresWithoutAKnownPolicy() {
    var text =
        "{\"failures\":[{\"policies\":{\"Pod.core\":[\"a\"]},\"runs\":7,"
            + "\"since\":\"2026-11-22T05:00:00Z\"}]}";

    assertThat(RunStateJson.read(text)).isEqualTo(RunState.NONE);
  }

  /// Removals then wait anew.
  @Test
  void forgetsFailuresWhereNothingElseMakesTheTextShortEnough() {
    var long200 = "x".repeat(200);
    var begun = IntStream.range(0, 900).mapToObj(i -> clusterPolicyId(long200 + i)).toList();
    var failures =
        begun.stream().limit(500).collect(Collectors.toMap(id -> id, _ -> new Streak(SINCE, 7)));

    var text =
        RunStateJson.write(memory(begun, new FailureHistory(new TreeMap<>(failures))))
            .orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
    assertThat(RunStateJson.read(text).failures()).isEqualTo(FailureHistory.NONE);
    assertThat(RunStateJson.read(text).begun()).hasSize(900);
  }

  /// More than anybody removes without an approval, unless MAX_REMOVALS is 100%.
  @Test
  void countsAllRemovalsWhereTheyAreTooManyToNameThose() {
    var uid = "7a1e0c52-0000-4000-8000-";
    var uids = IntStream.range(0, 6_000).mapToObj(i -> uid + "%012d".formatted(i)).toList();
    var removed = List.of(new RemovalHistory.Removed(SINCE, 6_000, 6_000));
    var removals = new RemovalHistory(Optional.empty(), Optional.empty(), removed).beginning(uids);

    var text = RunStateJson.write(RunState.NONE.withRemovals(removals)).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
    assertThat(RunStateJson.read(text).removals()).isEqualTo(removals.beginning(List.of()));
  }

  @Test
  void readsWhatTheVersionBeforeItWrote() {
    var runState =
        RunStateJson.read("{\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]},\"ownedBefore\":20}");

    assertThat(runState.begun()).hasSize(1);
    assertThat(runState.removals())
        .isEqualTo(new RemovalHistory(Optional.of(20), Optional.empty(), List.of()));
    assertThat(runState.feeds()).isEqualTo(FeedHistory.NONE);
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

  private static RunState memory(List<PolicyId> begun, FailureHistory failures) {
    return new RunState(
        new RemovalHistory(
            Optional.of(20).filter(_ -> !begun.isEmpty()), Optional.empty(), List.of()),
        new TreeSet<>(begun),
        List.of(),
        DriftHistory.NONE,
        Optional.empty(),
        failures,
        FeedHistory.NONE);
  }
}
