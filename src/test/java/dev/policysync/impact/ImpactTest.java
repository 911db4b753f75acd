package dev.policysync.impact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What several reasons come to together.
class ImpactTest {
  private static final Reason TIGHTENS = reason(Direction.TIGHTENS, Evidence.REPORTS);
  private static final Reason LOOSENS = reason(Direction.LOOSENS, Evidence.NOT_NEEDED);
  private static final Reason CHANGED = reason(Direction.CHANGED, Evidence.NONE);
  private static final Reason UNGUARDED = reason(Direction.TIGHTENS, Evidence.NOT_NEEDED);

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
    assertThat(of(reason(Direction.LOOSENS, Evidence.REPORTS)).guarded()).isEmpty();
  }

  @Test
  void isCoveredByReportsWhereTheyTellOfEveryReason() {
    assertThat(of(TIGHTENS, UNGUARDED, LOOSENS).covered()).isTrue();
    assertThat(of(TIGHTENS, CHANGED).covered()).isFalse();
  }

  private static Impact of(Reason... reasons) {
    return Impact.of(PolicyId.of(PolicyKind.CLUSTER_POLICY, "p"), Arrays.asList(reasons));
  }

  private static Reason reason(Direction direction, Evidence evidence) {
    return Reason.of(direction, Optional.of("r"), direction + " by " + evidence, evidence);
  }
}
