package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.ADOPTING;
import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.annotated;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.controlled;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.without;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whose a live policy is, and what that means for it (promise 2).
class PlannerOwnershipTest {
  private static final PolicyId ID = clusterPolicyId("team");
  private static final Policy TEAM = clusterPolicy("team");
  private static final Policy OTHER = clusterPolicy("other");
  private static final SourceName STAGING = SourceName.of("acme", "staging");

  /// With everything a person copies along: name and uid are all that differ.
  private static final LivePolicy COPY =
      annotated(
          applied(TEAM),
          OwnershipAnnotations.APPLIED,
          desired(clusterPolicy("original")).signature());

  private static final LivePolicy STAGINGS = applied(desired(TEAM, STAGING));

  @Test
  void knowsItsOwn() {
    assertThat(OwnershipVerdict.of(applied(TEAM), SOURCE)).isEqualTo(new OwnershipVerdict.Ours());
    assertThat(OwnershipVerdict.of(ownedOnly(ID), SOURCE)).isEqualTo(new OwnershipVerdict.Ours());
    assertThat(OwnershipVerdict.of(without(applied(TEAM), OwnershipAnnotations.SOURCE), SOURCE))
        .isEqualTo(new OwnershipVerdict.Ours());
  }

  @Test
  void ownsNothingWithoutTheAnnotation() {
    assertThat(OwnershipVerdict.of(unowned(ID), SOURCE)).isEqualTo(new OwnershipVerdict.Unowned());
    assertThat(OwnershipVerdict.of(without(applied(TEAM), OwnershipAnnotations.OWNED_BY), SOURCE))
        .isEqualTo(new OwnershipVerdict.Unowned());
    assertThat(
            OwnershipVerdict.of(
                annotated(applied(TEAM), OwnershipAnnotations.OWNED_BY, "fairwinds insights"),
                SOURCE))
        .isEqualTo(new OwnershipVerdict.Unowned());
  }

  @Test
  void ownsNothingThatAnotherObjectMade() {
    assertThat(OwnershipVerdict.of(controlled(applied(TEAM)), SOURCE))
        .isEqualTo(new OwnershipVerdict.Controlled());
  }

  @Test
  void ownsNoCopy() {
    assertThat(OwnershipVerdict.of(COPY, SOURCE))
        .isEqualTo(new OwnershipVerdict.Copy("ClusterPolicy.kyverno.io/original"));
    assertThat(
            OwnershipVerdict.of(
                annotated(applied(TEAM), OwnershipAnnotations.APPLIED, "anything"), SOURCE))
        .isEqualTo(new OwnershipVerdict.Copy("anything"));
    for (var nameless : List.of("", "@sha256:2c26")) {
      assertThat(
              OwnershipVerdict.of(
                  annotated(applied(TEAM), OwnershipAnnotations.APPLIED, nameless), SOURCE))
          .as(nameless)
          .isEqualTo(new OwnershipVerdict.Copy("an unnamed policy"));
    }
  }

  @Test
  void knowsACopyInAnotherNamespaceOrKind() {
    var signature = desired(TEAM).signature();
    var namespaced = ownedOnly(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "team"));
    var cel = ownedOnly(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));

    assertThat(
            OwnershipVerdict.of(
                annotated(namespaced, OwnershipAnnotations.APPLIED, signature), SOURCE))
        .isEqualTo(new OwnershipVerdict.Copy("ClusterPolicy.kyverno.io/team"));
    assertThat(OwnershipVerdict.of(annotated(cel, OwnershipAnnotations.APPLIED, signature), SOURCE))
        .isEqualTo(new OwnershipVerdict.Copy("ClusterPolicy.kyverno.io/team"));
  }

  @Test
  void ownsNothingThatAnotherSourceApplied() {
    assertThat(OwnershipVerdict.of(STAGINGS, SOURCE))
        .isEqualTo(new OwnershipVerdict.OtherSource("acme/staging"));
  }

  @Test
  void leavesATakenNameAloneAndReportsTheConflict() {
    assertConflict(
        unowned(ID),
        "an object of this name exists and is not managed by policy-sync; set ADOPT=always to"
            + " take it over, or ADOPT=identical if only the policy-sync annotations would change");
    assertConflict(
        COPY,
        "the object of this name is a copy of ClusterPolicy.kyverno.io/original; set"
            + " ADOPT=always to take it over, or ADOPT=identical if only the policy-sync"
            + " annotations would change");
    assertConflict(
        STAGINGS,
        "it was applied by another source, acme/staging; set ADOPT=always to take it over");
    assertConflict(
        controlled(applied(TEAM)),
        "the object of this name is owned by another object (ownerReferences)");
  }

  @Test
  void takesATakenNameOverIfToldTo() {
    for (var live : List.of(unowned(ID), COPY, STAGINGS)) {
      assertThat(new Planner(ADOPTING).plan(feed(TEAM), cluster(live), PlanContext.NONE).actions())
          .as(live.toString())
          .containsExactly(new Action.Update(desired(TEAM), version(ID), Action.Cause.ADOPTED));
    }
  }

  @Test
  void neverTakesOverWhatAnotherObjectMade() {
    for (var live : List.of(controlled(unowned(ID)), controlled(applied(TEAM)))) {
      var plan = new Planner(ADOPTING).plan(feed(TEAM), cluster(live), PlanContext.NONE);

      assertThat(plan.actions()).as(live.toString()).isEmpty();
      assertThat(plan.problems().conflicts())
          .as(live.toString())
          .containsExactly(
              new Conflict(
                  ID, "the object of this name is owned by another object (ownerReferences)"));
    }
  }

  @Test
  void removesNothingThatIsNotItsOwn() {
    assertKept(COPY, "a copy of ClusterPolicy.kyverno.io/original");
    assertKept(STAGINGS, "applied by another source, acme/staging");
    assertKept(controlled(applied(TEAM)), "owned by another object (ownerReferences)");
    assertKept(
        annotated(applied(TEAM), OwnershipAnnotations.PRUNE, "disabled"),
        "annotated with policysync.dev/prune: disabled");
  }

  @Test
  void removesOnlyWhatItKeepsByNoOtherValueOfPrune() {
    var live = annotated(applied(TEAM), OwnershipAnnotations.PRUNE, "enabled");

    assertThat(
            new Planner(RULES)
                .plan(feed(OTHER), cluster(live, applied(OTHER)), PlanContext.NONE)
                .actions())
        .extracting(Action::id)
        .containsExactly(ID);
  }

  @Test
  void hasNothingToSayOfWhatCarriesNoMark() {
    for (var live : List.of(unowned(ID), controlled(unowned(ID)))) {
      var plan =
          new Planner(ADOPTING).plan(feed(OTHER), cluster(applied(OTHER), live), PlanContext.NONE);

      assertThat(plan)
          .isEqualTo(new PlanDraft().unchanged(List.of(clusterPolicyId("other"))).plan());
    }
  }

  private static void assertConflict(LivePolicy live, String reason) {
    var plan = new Planner(RULES).plan(feed(TEAM), cluster(live), PlanContext.NONE);

    assertThat(plan.actions()).as(reason).isEmpty();
    assertThat(plan.problems().conflicts()).containsExactly(new Conflict(ID, reason));
  }

  private static void assertKept(LivePolicy live, String reason) {
    for (var plannerOptions : List.of(RULES, ADOPTING)) {
      var plan =
          new Planner(plannerOptions)
              .plan(feed(OTHER), cluster(live, applied(OTHER)), PlanContext.NONE);

      assertThat(plan.actions()).as(reason).isEmpty();
      assertThat(plan.retained().kept()).containsExactly(new Kept(ID, reason));
    }
  }
}
