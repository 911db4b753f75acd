package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemarksTest {
  private final Remarks remarks = new Remarks(" stays: ", " stay: ");

  @Test
  void hasNoLineWhereNothingWasRemarked() {
    assertThat(remarks.lines()).isEmpty();
  }

  @Test
  void namesOnePolicyInTheSingular() {
    remarks.add(clusterPolicyId("a"), "a copy");

    assertThat(remarks.lines()).containsExactly("ClusterPolicy/a stays: a copy");
  }

  @Test
  void namesTwoPoliciesInTheOrderInWhichTheyCame() {
    remarks.add(clusterPolicyId("b"), "a copy");
    remarks.add(clusterPolicyId("a"), "a copy");

    assertThat(remarks.lines()).containsExactly("ClusterPolicy/b, ClusterPolicy/a stay: a copy");
  }

  @Test
  void countsTheRestOfMany() {
    for (int i = 0; i < 500; i++) {
      remarks.add(clusterPolicyId("p" + i), "a copy");
    }

    assertThat(remarks.lines())
        .containsExactly("ClusterPolicy/p0, ClusterPolicy/p1 and 498 more stay: a copy");
  }

  @Test
  void countsAPolicyOnceForOneText() {
    remarks.add(clusterPolicyId("a"), "a copy");
    remarks.add(clusterPolicyId("a"), "a copy");

    assertThat(remarks.lines()).containsExactly("ClusterPolicy/a stays: a copy");
  }

  @Test
  void keepsDifferentTextsApartInTheOrderInWhichTheyCame() {
    remarks.add(clusterPolicyId("a"), "second by name");
    remarks.add(clusterPolicyId("a"), "first by name");
    remarks.add(clusterPolicyId("b"), "second by name");

    assertThat(remarks.lines())
        .containsExactly(
            "ClusterPolicy/a, ClusterPolicy/b stay: second by name",
            "ClusterPolicy/a stays: first by name");
  }
}
