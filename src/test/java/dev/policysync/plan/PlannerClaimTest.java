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
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whose a live policy is, and what that means for it (promise 2).
class PlannerClaimTest {
  private static final PolicyId ID = clusterPolicyId("team");
  private static final Policy TEAM = clusterPolicy("team");
  private static final Policy OTHER = clusterPolicy("other");
  private static final SourceName STAGING = SourceName.of("acme", "staging");

  /// With everything a person copies along: name and uid are all that differ.
  private static final LivePolicy COPY =
      annotated(applied(TEAM), Marks.APPLIED, desired(clusterPolicy("original")).signature());

  private static final LivePolicy STAGINGS = applied(desired(TEAM, STAGING));

  @Test
  void knowsItsOwn() {
    assertThat(Claim.of(applied(TEAM), SOURCE)).isEqualTo(new Claim.Ours());
    assertThat(Claim.of(ownedOnly(ID), SOURCE)).isEqualTo(new Claim.Ours());
    assertThat(Claim.of(without(applied(TEAM), Marks.SOURCE), SOURCE)).isEqualTo(new Claim.Ours());
  }

  @Test
  void ownsNothingWithoutTheAnnotation() {
    assertThat(Claim.of(unowned(ID), SOURCE)).isEqualTo(new Claim.Unowned());
    assertThat(Claim.of(without(applied(TEAM), Marks.OWNED_BY), SOURCE))
        .isEqualTo(new Claim.Unowned());
    assertThat(Claim.of(annotated(applied(TEAM), Marks.OWNED_BY, "fairwinds insights"), SOURCE))
        .isEqualTo(new Claim.Unowned());
  }

  @Test
  void ownsNothingThatAnotherObjectMade() {
    assertThat(Claim.of(controlled(applied(TEAM)), SOURCE)).isEqualTo(new Claim.Controlled());
  }

  @Test
  void ownsNoCopy() {
    assertThat(Claim.of(COPY, SOURCE))
        .isEqualTo(new Claim.Copy("ClusterPolicy.kyverno.io/original"));
    assertThat(Claim.of(annotated(applied(TEAM), Marks.APPLIED, "anything"), SOURCE))
        .isEqualTo(new Claim.Copy("anything"));
    for (var nameless : List.of("", "@sha256:2c26")) {
      assertThat(Claim.of(annotated(applied(TEAM), Marks.APPLIED, nameless), SOURCE))
          .as(nameless)
          .isEqualTo(new Claim.Copy("an unnamed policy"));
    }
  }

  @Test
  void knowsACopyInAnotherNamespaceOrKind() {
    var signature = desired(TEAM).signature();
    var namespaced = ownedOnly(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "team"));
    var cel = ownedOnly(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));

    assertThat(Claim.of(annotated(namespaced, Marks.APPLIED, signature), SOURCE))
        .isEqualTo(new Claim.Copy("ClusterPolicy.kyverno.io/team"));
    assertThat(Claim.of(annotated(cel, Marks.APPLIED, signature), SOURCE))
        .isEqualTo(new Claim.Copy("ClusterPolicy.kyverno.io/team"));
  }

  @Test
  void ownsNothingThatAnotherSourceApplied() {
    assertThat(Claim.of(STAGINGS, SOURCE)).isEqualTo(new Claim.OtherSource("acme/staging"));
  }

  @Test
  void leavesATakenNameAloneAndReportsTheConflict() {
    assertConflict(
        unowned(ID),
        "an object of that name exists and is not ours; ADOPT=always takes it over, ADOPT=identical"
            + " only if nothing but our marks would change");
    assertConflict(
        COPY,
        "the object of that name is a copy of ClusterPolicy.kyverno.io/original; ADOPT=always takes"
            + " it over, ADOPT=identical only if nothing but our marks would change");
    assertConflict(
        STAGINGS, "it was applied for another source, acme/staging; ADOPT=always takes it over");
    assertConflict(
        controlled(applied(TEAM)), "another object owns the object of that name (ownerReferences)");
  }

  @Test
  void takesATakenNameOverIfToldTo() {
    for (var live : List.of(unowned(ID), COPY, STAGINGS)) {
      assertThat(
              new Planner(ADOPTING).plan(feed(TEAM), cluster(live), Circumstances.NONE).actions())
          .as(live.toString())
          .containsExactly(new Action.Update(desired(TEAM), version(ID), Action.Cause.ADOPTED));
    }
  }

  @Test
  void neverTakesOverWhatAnotherObjectMade() {
    for (var live : List.of(controlled(unowned(ID)), controlled(applied(TEAM)))) {
      var plan = new Planner(ADOPTING).plan(feed(TEAM), cluster(live), Circumstances.NONE);

      assertThat(plan.actions()).as(live.toString()).isEmpty();
      assertThat(plan.conflicts())
          .as(live.toString())
          .containsExactly(
              new Conflict(ID, "another object owns the object of that name (ownerReferences)"));
    }
  }

  @Test
  void removesNothingThatIsNotItsOwn() {
    assertKept(COPY, "a copy of ClusterPolicy.kyverno.io/original");
    assertKept(STAGINGS, "applied for another source, acme/staging");
    assertKept(controlled(applied(TEAM)), "owned by another object (ownerReferences)");
    assertKept(
        annotated(applied(TEAM), Marks.PRUNE, "disabled"),
        "annotated with policysync.dev/prune: disabled");
  }

  @Test
  void removesOnlyWhatItKeepsByNoOtherValueOfPrune() {
    var live = annotated(applied(TEAM), Marks.PRUNE, "enabled");

    assertThat(
            new Planner(RULES)
                .plan(feed(OTHER), cluster(live, applied(OTHER)), Circumstances.NONE)
                .actions())
        .extracting(Action::id)
        .containsExactly(ID);
  }

  @Test
  void hasNothingToSayOfWhatCarriesNoMark() {
    for (var live : List.of(unowned(ID), controlled(unowned(ID)))) {
      var plan =
          new Planner(ADOPTING)
              .plan(feed(OTHER), cluster(applied(OTHER), live), Circumstances.NONE);

      assertThat(plan)
          .isEqualTo(
              PlanFixtures.plan(
                  List.of(),
                  List.of(clusterPolicyId("other")),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of()));
    }
  }

  private static void assertConflict(LivePolicy live, String reason) {
    var plan = new Planner(RULES).plan(feed(TEAM), cluster(live), Circumstances.NONE);

    assertThat(plan.actions()).as(reason).isEmpty();
    assertThat(plan.conflicts()).containsExactly(new Conflict(ID, reason));
  }

  private static void assertKept(LivePolicy live, String reason) {
    for (var rules : List.of(RULES, ADOPTING)) {
      var plan =
          new Planner(rules).plan(feed(OTHER), cluster(live, applied(OTHER)), Circumstances.NONE);

      assertThat(plan.actions()).as(reason).isEmpty();
      assertThat(plan.kept()).containsExactly(new Kept(ID, reason));
    }
  }
}
