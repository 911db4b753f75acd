package dev.policysync.plan.impact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What several reasons come to together.
class ImpactTest {
  private static final ImpactReason TIGHTENS = reason(Direction.TIGHTENS, ReportCoverage.REPORTS);
  private static final ImpactReason LOOSENS = reason(Direction.LOOSENS, ReportCoverage.NOT_NEEDED);
  private static final ImpactReason CHANGED = reason(Direction.CHANGED, ReportCoverage.NONE);
  private static final ImpactReason UNGUARDED =
      reason(Direction.TIGHTENS, ReportCoverage.NOT_NEEDED);

  @Test
  void readsAsWhatIsCertainOfIt() {
    assertThat(of().effect()).isEmpty();
    assertThat(of(TIGHTENS).effect()).isEqualTo("tightens");
    assertThat(of(LOOSENS).effect()).isEqualTo("loosens");
    assertThat(of(CHANGED).effect()).isEqualTo("may tighten");
    assertThat(of(LOOSENS, TIGHTENS).effect()).isEqualTo("tightens and loosens");
    assertThat(of(CHANGED, TIGHTENS).effect()).isEqualTo("tightens");
    assertThat(of(CHANGED, LOOSENS).effect()).isEqualTo("loosens and may tighten");
  }

  @Test
  void mayTightenWhereNobodyCanTell() {
    assertThat(of(LOOSENS, CHANGED).mayTighten()).isTrue();
    assertThat(of(LOOSENS, TIGHTENS).mayTighten()).isTrue();
    assertThat(of(LOOSENS).mayTighten()).isFalse();
    assertThat(of(LOOSENS, CHANGED).tightens()).isFalse();
    assertThat(of(LOOSENS, TIGHTENS).tightens()).isTrue();
  }

  @Test
  void isGuardedButForWhatBlocksNobodyWhoBreaksThePolicy() {
    assertThat(of(TIGHTENS, UNGUARDED, LOOSENS, CHANGED).guarded())
        .containsExactly(TIGHTENS, CHANGED);
    assertThat(of(reason(Direction.LOOSENS, ReportCoverage.REPORTS)).guarded()).isEmpty();
  }

  @Test
  void isCoveredByReportsWhereTheyTellOfEveryReason() {
    assertThat(of(TIGHTENS, UNGUARDED, LOOSENS).covered()).isTrue();
    assertThat(of(TIGHTENS, CHANGED).covered()).isFalse();
  }

  private static Impact of(ImpactReason... reasons) {
    return Impact.of(PolicyId.of(PolicyKind.CLUSTER_POLICY, "p"), Arrays.asList(reasons));
  }

  private static ImpactReason reason(Direction direction, ReportCoverage reportCoverage) {
    return ImpactReason.of(
        direction, Optional.of("r"), direction + " by " + reportCoverage, reportCoverage);
  }
}
