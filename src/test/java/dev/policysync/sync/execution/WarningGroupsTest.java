package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningGroupsTest {
  private final WarningGroups warningGroups = new WarningGroups(" is kept: ", " are kept: ");

  @Test
  void hasNoLineWhereNothingWasRemarked() {
    assertThat(warningGroups.lines()).isEmpty();
  }

  @Test
  void namesOnePolicyInTheSingular() {
    warningGroups.add(clusterPolicyId("a"), "a copy");

    assertThat(warningGroups.lines()).containsExactly("ClusterPolicy/a is kept: a copy");
  }

  @Test
  void namesTwoPoliciesInTheOrderInWhichTheyCame() {
    warningGroups.add(clusterPolicyId("b"), "a copy");
    warningGroups.add(clusterPolicyId("a"), "a copy");

    assertThat(warningGroups.lines())
        .containsExactly("ClusterPolicy/b, ClusterPolicy/a are kept: a copy");
  }

  @Test
  void countsTheRestOfMany() {
    for (int i = 0; i < 500; i++) {
      warningGroups.add(clusterPolicyId("p" + i), "a copy");
    }

    assertThat(warningGroups.lines())
        .containsExactly("ClusterPolicy/p0, ClusterPolicy/p1 and 498 more are kept: a copy");
  }

  @Test
  void countsAPolicyOnceForOneText() {
    warningGroups.add(clusterPolicyId("a"), "a copy");
    warningGroups.add(clusterPolicyId("a"), "a copy");

    assertThat(warningGroups.lines()).containsExactly("ClusterPolicy/a is kept: a copy");
  }

  @Test
  void keepsDifferentTextsApartInTheOrderInWhichTheyCame() {
    warningGroups.add(clusterPolicyId("a"), "second by name");
    warningGroups.add(clusterPolicyId("a"), "first by name");
    warningGroups.add(clusterPolicyId("b"), "second by name");

    assertThat(warningGroups.lines())
        .containsExactly(
            "ClusterPolicy/a, ClusterPolicy/b are kept: second by name",
            "ClusterPolicy/a is kept: first by name");
  }
}
