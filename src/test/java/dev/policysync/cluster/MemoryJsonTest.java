package dev.policysync.cluster;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Repairs;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.FailureHistory;
import dev.policysync.sync.FailureHistory.Streak;
import dev.policysync.sync.Memory;
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

    assertThat(memory.ownedBefore()).contains(20);
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

  private static Memory memory(List<PolicyId> begun, FailureHistory failures) {
    return new Memory(
        Optional.of(20).filter(_ -> !begun.isEmpty()),
        new TreeSet<>(begun),
        List.of(),
        Repairs.NONE,
        Optional.empty(),
        failures);
  }
}
