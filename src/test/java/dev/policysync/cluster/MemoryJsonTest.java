package dev.policysync.cluster;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.Repairs;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.FailureHistory;
import dev.policysync.sync.FailureHistory.Streak;
import dev.policysync.sync.Memory;
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

/// The memory's text; that all of it is read as it was written is in `RunMemoryContract`.
class MemoryJsonTest {
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

    assertThat(MemoryJson.write(memory(List.of(), failures)))
        .contains(
            "{\"failures\":[{\"policies\":{\"ClusterPolicy.kyverno.io\":[\"a\",\"b\"]},\"runs\":7,"
                + "\"since\":\"2026-11-22T05:00:00Z\"}]}");
  }

  @Test
  void readsWhatAVersionNotedThatKnewNoFailures() {
    var text = "{\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]},\"ownedBefore\":20}";

    var memory = MemoryJson.read(text);

    assertThat(memory.removals().ownedBefore()).contains(20);
    assertThat(memory.begun()).containsExactly(clusterPolicyId("a"));
    assertThat(memory.failures()).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void leavesOutFailuresWithoutAKnownPolicy() {
    var text =
        "{\"failures\":[{\"policies\":{\"Pod.core\":[\"a\"]},\"runs\":7,"
            + "\"since\":\"2026-11-22T05:00:00Z\"}]}";

    assertThat(MemoryJson.read(text)).isEqualTo(Memory.NONE);
  }

  /// Removals then wait anew.
  @Test
  void forgetsFailuresWhereNothingElseMakesTheTextShortEnough() {
    var long200 = "x".repeat(200);
    var begun = IntStream.range(0, 900).mapToObj(i -> clusterPolicyId(long200 + i)).toList();
    var failures =
        begun.stream().limit(500).collect(Collectors.toMap(id -> id, _ -> new Streak(SINCE, 7)));

    var text =
        MemoryJson.write(memory(begun, new FailureHistory(new TreeMap<>(failures)))).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
    assertThat(MemoryJson.read(text).failures()).isEqualTo(FailureHistory.NONE);
    assertThat(MemoryJson.read(text).begun()).hasSize(900);
  }

  @Test
  void readsWhatTheVersionBeforeItWrote() {
    var memory =
        MemoryJson.read("{\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]},\"ownedBefore\":20}");

    assertThat(memory.begun()).hasSize(1);
    assertThat(memory.removals())
        .isEqualTo(new RemovalHistory(Optional.of(20), Optional.empty(), List.of()));
    assertThat(memory.feeds()).isEqualTo(FeedHistory.NONE);
  }

  @Test
  void writesTheMeasureWhereTheVersionBeforeItReadsIt() {
    var noted =
        Memory.NONE.withRemovals(
            RemovalHistory.NONE.with(new RemovalHistory.Note(Optional.of(20), 5, 0), NOW));

    assertThat(MemoryJson.write(noted))
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
    var memory = Memory.NONE.withRemovals(removals).withFeeds(feeds);

    var text = MemoryJson.write(memory).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(5_000);
    assertThat(MemoryJson.read(text)).isEqualTo(memory);
  }

  private static Memory memory(List<PolicyId> begun, FailureHistory failures) {
    return new Memory(
        new RemovalHistory(
            Optional.of(20).filter(_ -> !begun.isEmpty()), Optional.empty(), List.of()),
        new TreeSet<>(begun),
        List.of(),
        Repairs.NONE,
        Optional.empty(),
        failures,
        FeedHistory.NONE);
  }
}
