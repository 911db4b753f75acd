package dev.policysync.remote.cluster.lease;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.RemovalHistory;
import dev.policysync.sync.RunState;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.execution.FailureHistory.Streak;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FailureHistoryJsonTest {
  private static final Instant SINCE = Instant.parse("2026-11-22T05:00:00Z");

  @Test
  void writesFailuresOfTheSameRunsTogether() {
    var failures =
        new FailureHistory(
            new TreeMap<>(
                Map.of(
                    clusterPolicyId("a"), new Streak(SINCE, 7),
                    clusterPolicyId("b"), new Streak(SINCE, 7))));

    assertThat(RunStateJson.write(RunState.NONE.withFailures(failures)))
        .contains(
            "{\"failures\":[{\"policies\":{\"ClusterPolicy.kyverno.io\":[\"a\",\"b\"]},\"runs\":7,"
                + "\"since\":\"2026-11-22T05:00:00Z\"}]}");
  }

  @Test
  void callsFailuresOfAnUnknownKindUnreadable() {
    var text =
        "{\"failures\":[{\"policies\":{\"Pod.core\":[\"a\"]},\"runs\":7,"
            + "\"since\":\"2026-11-22T05:00:00Z\"}]}";

    assertThat(RunStateJson.read(text))
        .isEqualTo(
            RunState.NONE.withRemovals(RemovalHistory.NONE.withUnreadable(List.of("failures"))));
  }
}
