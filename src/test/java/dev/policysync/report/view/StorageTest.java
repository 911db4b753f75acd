package dev.policysync.report.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.policysync.report.FakeFindings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageTest {
  @Test
  void estimatesByWhatAReportAndAResultTakeHere() {
    var storage = with(Map.of(ReportKind.POLICY_REPORT, new ReportSizes(10, 100, 55_000, 50_000)));

    var estimate = storage.estimate(1_000, 17);

    assertThat(storage.measured()).isTrue();
    assertThat(storage.perResult()).isEqualTo(500);
    assertThat(storage.perReport()).isEqualTo(500);
    assertThat(storage.resultsPerReport()).isEqualTo(10);
    assertThat(estimate.least()).isEqualTo(1_000 * (500 + 17 * 500));
    assertThat(estimate.most()).isEqualTo(2 * estimate.least());
    assertThat(estimate.ruleOfThumb()).isEqualTo(25_000_000);
  }

  @Test
  void takesTheUsualSizesWhereNothingCanBeMeasured() {
    var storage = with(Map.of());

    assertThat(storage.measured()).isFalse();
    // A report of 5 to 6 results was seen to be 2.7 kB.
    assertThat(storage.estimate(1, 5.5).least()).isCloseTo(2_700L, within(50L));
  }

  @Test
  void seesReportsOfBothGroups() {
    var some = new ReportSizes(1, 1, 900, 450);

    assertThat(
            with(Map.of(ReportKind.POLICY_REPORT, some, ReportKind.CLUSTER_REPORT, some))
                .inBothGroups())
        .isTrue();
    assertThat(
            with(Map.of(
                    ReportKind.POLICY_REPORT, some, ReportKind.CLUSTER_REPORT, ReportSizes.NONE))
                .inBothGroups())
        .isFalse();
  }

  private static Storage with(Map<ReportKind, ReportSizes> sizes) {
    return Storage.of(FakeFindings.none(sizes));
  }
}
