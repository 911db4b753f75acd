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
    var scenario = new Scenario("noop-" + policies, Work.NO_OP, policies, Budget.NONE, 1);
    var figures = new Figures(Duration.ofMillis(wall), Duration.ofMillis(cpu), mebibytes * 1_024);
    return new Result.Measured(
        scenario, List.of(figures), new Requests(Map.of(), 0, new FeedServer.Counts(1, 0)));
  }
}
