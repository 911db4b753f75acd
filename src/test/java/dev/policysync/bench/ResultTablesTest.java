package dev.policysync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.bench.Scenario.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultTablesTest {
  private static final Requests IDLE =
      new Requests(Map.of("discovery", 1, "get", 1, "list", 21), 0, new FeedServer.Counts(1, 0));

  @Test
  void aRowHasMediansSpreadBudgetAndRequests() {
    var scenario = new Scenario("noop-100", Work.NO_OP, 100, Budget.wall(600).cpu(700), 3);
    var measured =
        new Result.Measured(
            scenario, List.of(figures(700, 800), figures(500, 690), figures(550, 600)), IDLE);

    assertThat(ResultTables.figures(List.of(measured)))
        .isEqualTo(
            """
            | id         | scenario | policies | n | wall   | from – to       | CPU    | peak RSS | cluster's CPU | budget                    | requests                                 |
            |------------|----------|----------|---|--------|-----------------|--------|----------|---------------|---------------------------|------------------------------------------|
            | `noop-100` | no-op    | 100      | 3 | 0.55 s | 0.50 s – 0.70 s | 0.69 s | 91 MiB   | 0.12 s        | ≤ 0.60 s, 0.70 s CPU: met | 1 discovery, 1 get, 21 list, 1 feed: met |
            """);
  }

  @Test
  void aBudgetThatIsMissedSaysInWhat() {
    var budget = Budget.wall(600).cpu(700).peakRss(96);

    var verdict = budget.verdict(new Figures(millis(600), millis(701), 96 * 1024 + 1, millis(0)));

    assertThat(verdict).isEqualTo("≤ 0.60 s, 0.70 s CPU, 96 MiB: **missed: CPU, RSS**");
  }

  @Test
  void whatCannotBeMeasuredSaysWhy() {
    var scenario = new Scenario("noop-30-limited", Work.NO_OP_LIMITED, 30, Budget.NONE, 5);

    assertThat(ResultTables.figures(List.of(new Result.NotMeasured(scenario, "needs root"))))
        .contains("| 0 | not measured: needs root |");
  }

  @Test
  void aNoOpThatWritesMissesItsBudgetOfRequests() {
    assertThat(IDLE.idle()).isTrue();
    assertThat(new Requests(IDLE.verbs(), 1, IDLE.api()).idle()).isFalse();
    assertThat(new Requests(IDLE.verbs(), 0, new FeedServer.Counts(2, 0)).idle()).isFalse();
    assertThat(new Requests(Map.of("discovery", 2, "get", 1, "list", 21), 0, IDLE.api()).idle())
        .isFalse();
  }

  @Test
  void comparesOnlyWhatWasMeasured() {
    var scenario = new Scenario("first-100", Work.FIRST_SYNC, 100, Budget.NONE, 1);
    var measured = new Result.Measured(scenario, List.of(figures(1_500, 900)), IDLE);

    assertThat(Comparison.table(List.of(measured)))
        .contains("the Go agent, measured earlier | 16.5 s | 11.0 times | ≥ 10 times: met")
        .doesNotContain("kubectl");
  }

  @Test
  void demandsThatTheDistanceOfTheApiCostsNextToNothing() {
    var near = new Scenario("first-100-http2", Work.FIRST_SYNC_HTTP2, 100, Budget.NONE, 1);
    var far = new Scenario("first-100-far", Work.FIRST_SYNC_FAR, 100, Budget.NONE, 1);
    var measured = new Result.Measured(near, List.of(figures(1_000, 900)), IDLE);

    assertThat(table(measured, new Result.Measured(far, List.of(figures(1_090, 900)), IDLE)))
        .contains("first-100-http2, same run")
        .contains("≤ 1.1 times as long, is 1.09: met");
    assertThat(table(measured, new Result.Measured(far, List.of(figures(1_200, 900)), IDLE)))
        .contains("≤ 1.1 times as long, is 1.20: **missed**");
  }

  @Test
  void saysHowMuchOfATimeTheClusterTakesByItself() {
    var own = new Scenario("first-1000", Work.FIRST_SYNC, 1_000, Budget.NONE, 1);
    var kubectl = new Scenario("kubectl-first-1000", Work.KUBECTL_FIRST, 1_000, Budget.NONE, 1);
    var cluster = millis(480L * Runtime.getRuntime().availableProcessors());
    var figures = new Figures(millis(900), millis(800), 90 * 1024, cluster);

    assertThat(
            table(
                new Result.Measured(own, List.of(figures), IDLE),
                new Result.Measured(kubectl, List.of(figures(1_000, 300)), IDLE)))
        .contains("≤ 0.5 times as long, is 0.90: **missed**; 0.48 for the cluster's CPU alone");
  }

  @Test
  void demandsThatAPreviewTakesNoLongerThanKyverno() {
    var scenario = new Scenario("kyverno-dry-run-300", Work.DRY_RUN, 300, Budget.NONE, 1, true);
    var answers = new KyvernoAnswers(300, 0, 400);

    assertThat(
            table(
                new Result.Measured(
                    scenario, List.of(figures(105_000, 900)), IDLE, Optional.of(answers))))
        .contains("Kyverno's own time, 4 policies at once")
        .contains("≤ 1.1 times as long, is 1.05: met");
  }

  private static String table(Result... results) {
    return Comparison.table(List.of(results));
  }

  private static Figures figures(long wall, long cpu) {
    return new Figures(millis(wall), millis(cpu), 90 * 1024 + 1, millis(120));
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
