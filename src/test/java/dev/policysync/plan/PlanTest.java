package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.ManagerConflict;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final PolicyId A = clusterPolicyId("a");
  private static final PolicyId B = clusterPolicyId("b");
  private static final PolicyId C = clusterPolicyId("c");
  private static final PolicyId D = clusterPolicyId("d");
  private static final PolicyId E = clusterPolicyId("e");
  private static final PolicyId F = clusterPolicyId("f");

  @Test
  void refusesTwoActionsForOnePolicy() {
    var create = new Action.Create(desired(clusterPolicy("a")));
    var remove = new Action.Remove(A, version(A), Set.of());

    assertThatThrownBy(() -> plan(List.of(create, remove)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("two actions for one policy: ClusterPolicy/a");
  }

  @Test
  void keepsEveryListInOneOrder() {
    var failure = new Failure(Failure.Cause.INVALID, "it is wrong");
    var knownA = new Rejected("ClusterPolicy/a", Optional.of("a"), Optional.of(A), failure);
    var knownB = new Rejected("ClusterPolicy/b", Optional.of("b"), Optional.of(B), failure);
    var tenth = new Rejected("document 10", Optional.empty(), Optional.empty(), failure);
    var third = new Rejected("document 3", Optional.empty(), Optional.empty(), failure);

    var plan =
        new PlanDraft()
            .actions(
                List.of(
                    new Action.Create(desired(clusterPolicy("b"))),
                    new Action.Create(desired(clusterPolicy("a")))))
            .unchanged(List.of(B, A))
            .rejected(List.of(third, knownB, tenth, knownA))
            .conflicts(List.of(new Conflict(B, "taken"), new Conflict(A, "taken")))
            .withhold(List.of(new Withheld(D, Guard.EMPTY_FEED), new Withheld(C, Guard.EMPTY_FEED)))
            .keep(List.of(new Kept(F, "a copy"), new Kept(E, "a copy")))
            .plan();

    assertThat(plan.actions()).extracting(Action::id).containsExactly(A, B);
    assertThat(plan.unchanged()).containsExactly(A, B);
    assertThat(plan.problems().rejected()).containsExactly(knownA, knownB, third, tenth);
    assertThat(plan.problems().conflicts()).extracting(Conflict::id).containsExactly(A, B);
    assertThat(plan.pending().withheld()).extracting(Withheld::id).containsExactly(C, D);
    assertThat(plan.retained().kept()).extracting(Kept::id).containsExactly(E, F);
  }

  @Test
  void doesNotChangeWithTheListsItWasMadeOf() {
    var actions = new ArrayList<Action>();
    actions.add(new Action.Create(desired(clusterPolicy("a"))));

    var plan = plan(actions);
    actions.clear();

    assertThat(plan.actions()).hasSize(1);
  }

  @Test
  void namesNoFightOverAPolicyWhoseRepairIsHeldBack() {
    var repairs =
        List.<Action>of(
            new Action.Update(desired(clusterPolicy("a")), version(A), Action.Cause.DRIFTED),
            new Action.Update(desired(clusterPolicy("b")), version(B), Action.Cause.DRIFTED));
    var overB = new ManagerConflict(B, Set.of("argocd"), 3);
    var plan =
        new PlanDraft()
            .actions(repairs)
            .managerConflicts(List.of(new ManagerConflict(A, Set.of("argocd"), 3), overB))
            .plan();

    var left = plan.withholding(List.of(new Withheld(A, Guard.HAZARD)));

    assertThat(left.actions()).extracting(Action::id).containsExactly(B);
    assertThat(left.problems().managerConflicts()).containsExactly(overB);
  }

  @Test
  void holdsBackEveryWriteAndRemovalOfAnOlderFeed() {
    var plan =
        new PlanDraft()
            .actions(
                List.of(
                    new Action.Create(desired(clusterPolicy("a"))),
                    new Action.Remove(B, version(B), Set.of())))
            .withhold(List.of(new Withheld(C, Guard.OVER_BUDGET)))
            .plan();

    assertThat(plan.withholdingAll(Guard.OLDER_FEED))
        .isEqualTo(
            new PlanDraft()
                .withhold(
                    List.of(
                        new Withheld(A, Guard.OLDER_FEED),
                        new Withheld(B, Guard.OLDER_FEED),
                        new Withheld(C, Guard.OLDER_FEED)))
                .plan());
  }

  @Test
  void tellsRemovalsThatAreHeldBackFromOtherWrites() {
    var removal = new Withheld(A, Guard.OVER_BUDGET);
    var plan = new PlanDraft().withhold(List.of(removal, new Withheld(B, Guard.HAZARD))).plan();

    assertThat(plan.withheldRemovals()).containsExactly(removal);
  }

  private static Plan plan(List<Action> actions) {
    return new PlanDraft().actions(actions).plan();
  }
}
