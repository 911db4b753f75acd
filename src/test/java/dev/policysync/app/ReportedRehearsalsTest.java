package dev.policysync.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.VerdictComparer.Comparison;
import dev.policysync.report.VerdictComparer.Found;
import dev.policysync.sync.analysis.RehearsalSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportedRehearsalsTest {
  private static final Found NOTHING = new Found(0, List.of());
  private static final Found MISSING = new Found(12, List.of("Pod/shop/new"));
  private static final Found DIFFERING =
      new Found(1, List.of("Pod/shop/bad (rule r: fail, its successor: pass)"));

  @Test
  void agreesWhereNothingIsMissingAndNothingDiffers() {
    assertThat(ReportedRehearsals.comparison(new Comparison(7, NOTHING, NOTHING)))
        .isEqualTo(new RehearsalSource.Comparison.Agrees(7));
  }

  @Test
  void isIncompleteWhereAResultIsMissing() {
    assertThat(ReportedRehearsals.comparison(new Comparison(7, MISSING, NOTHING)))
        .isEqualTo(new RehearsalSource.Comparison.Incomplete(7, 12, List.of("Pod/shop/new")));
  }

  @Test
  void differsWhereAVerdictDiffersWhateverIsMissing() {
    assertThat(ReportedRehearsals.comparison(new Comparison(7, MISSING, DIFFERING)))
        .isEqualTo(new RehearsalSource.Comparison.Differs(1, DIFFERING.names()));
  }
}
