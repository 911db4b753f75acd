package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.bench.Scenario.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrowthTest {
  @Test
  void saysWhatAThousandMoreCost() {
    assertThat(Growth.sentences(List.of(noOp(1_000, 900, 1_000, 90), noOp(100, 630, 700, 81))))
        .isEqualTo(
            "- A no-op takes 0.300 s longer, 0.333 s more CPU and 10.0 MiB more memory for each 1,000"
                + " policies.\n");
  }

  @Test
  void comparesWhatAPolicyCostsWithKubectl() {
    var results =
        List.of(
            measured(Work.FIRST_SYNC, 100, 1_000),
            measured(Work.FIRST_SYNC, 1_000, 2_800),
            measured(Work.KUBECTL_FIRST, 100, 300),
            measured(Work.KUBECTL_FIRST, 1_000, 2_100));

    assertThat(Growth.sentences(results))
        .contains("- kubectl's first apply takes 2.000 s longer, 2.000 s more CPU")
        .endsWith("a first sync 1.00 times kubectl's CPU; demanded are ≤ 1.5: met.\n");
  }

  @Test
  void saysNothingByOneSize() {
    assertThat(Growth.sentences(List.of(noOp(100, 600, 700, 80)))).isEmpty();
  }

  @Test
  void countsWhatAFleetAsksInASecond() throws IOException {
    var policies = ExamplePolicies.from(Path.of("examples", "policies"));

    var table = Fleet.table(policies, List.of(100));

    assertThat(table)
        .containsPattern("\\| 100 +\\| 2\\d\\d kB \\| .* kB +\\| 33/s ")
        .contains(" MB/s ");
  }

  private static Result noOp(int policies, long wall, long cpu, long mebibytes) {
    return measured(
        Work.NO_OP,
        policies,
        new Figures(
            Duration.ofMillis(wall), Duration.ofMillis(cpu), mebibytes * 1_024, Duration.ZERO));
  }

  private static Result measured(Work work, int policies, long cpu) {
    return measured(
        work,
        policies,
        new Figures(Duration.ofMillis(cpu), Duration.ofMillis(cpu), 1_024, Duration.ZERO));
  }

  private static Result measured(Work work, int policies, Figures figures) {
    var scenario = new Scenario(work + "-" + policies, work, policies, Budget.NONE, 1);
    return new Result.Measured(
        scenario, List.of(figures), new Requests(Map.of(), 0, new FeedServer.Counts(1, 0)));
  }
}
