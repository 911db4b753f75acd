package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Totals;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoverageTest {
  @Test
  void takesNoReportForNoGoodNews() {
    assertThat(Coverage.of(FakeFindings.none(Map.of()))).isEqualTo(Coverage.NO_KINDS);
    assertThat(Coverage.of(FakeFindings.none(Map.of(ReportKind.REPORT, ReportSizes.NONE))))
        .isEqualTo(Coverage.NO_REPORTS);
    assertThat(
            Coverage.of(FakeFindings.none(Map.of(ReportKind.REPORT, new ReportSizes(3, 0, 9, 0)))))
        .isEqualTo(Coverage.NO_RESULTS);
    assertThat(Coverage.of(with(new ResultCounts(0, 0, 0, 0, 5))))
        .isEqualTo(Coverage.NOTHING_JUDGED);
    assertThat(List.of(Coverage.NO_KINDS, Coverage.NO_REPORTS, Coverage.NO_RESULTS))
        .allSatisfy(coverage -> {
          assertThat(coverage.saysNothing()).isTrue();
          assertThat(coverage.meaning()).contains("its compliance is unknown");
        });
    assertThat(Coverage.NOTHING_JUDGED.saysNothing()).isTrue();
  }

  @Test
  void tellsGoodNewsFromFindings() {
    assertThat(Coverage.of(with(new ResultCounts(4, 0, 0, 0, 5))))
        .isEqualTo(Coverage.NOTHING_FOUND);
    assertThat(Coverage.of(with(new ResultCounts(4, 0, 0, 1, 5)))).isEqualTo(Coverage.FINDINGS);
  }

  private static Findings with(ResultCounts all) {
    return new FakeFindings(
        new Totals(all, List.of(), List.of(), Map.of(), Map.of()),
        CollectionStatistics.NONE,
        Map.of(ReportKind.REPORT, new ReportSizes(1, 1, 9, 4)),
        0,
        number -> {
          throw new IllegalArgumentException("there is no finding " + number);
        });
  }
}
