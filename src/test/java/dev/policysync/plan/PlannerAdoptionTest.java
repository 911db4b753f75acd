package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.controlled;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Policy;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// `ADOPT=identical`: taking over what an apply would not change.
class PlannerAdoptionTest {
  private static final Policy TEAM = clusterPolicy("team");
  private static final PlannerOptions IDENTICAL =
      new PlannerOptions(SOURCE, Adoption.IDENTICAL, RemovalBudget.DEFAULT);
  private static final Action.Update TAKE_OVER =
      new Action.Update(desired(TEAM), version(TEAM.id()), Action.Cause.ADOPTED);

  private final Planner planner = new Planner(IDENTICAL);

  @Test
  void asksWhetherAnUnownedPolicyWouldChange() {
    assertThat(planner.adoptions(feed(TEAM), cluster(unowned(TEAM.id()))))
        .containsExactly(TAKE_OVER);
  }

  @Test
  void asksOnlyWhereTheAnswerMatters() {
    var elsewhere = applied(desired(TEAM, SourceName.of("acme", "prod-2")));

    for (var live :
        Set.of(
            applied(TEAM),
            ownedOnly(TEAM.id()),
            controlled(unowned(TEAM.id())),
            terminating(unowned(TEAM.id())),
            elsewhere)) {
      assertThat(planner.adoptions(feed(TEAM), cluster(live))).as(live.toString()).isEmpty();
    }
    assertThat(planner.adoptions(feed(TEAM), cluster())).isEmpty();
    assertThat(new Planner(RULES).adoptions(feed(TEAM), cluster(unowned(TEAM.id())))).isEmpty();
  }

  @Test
  void takesOverWhatIsIdentical() {
    var plan = planner.plan(feed(TEAM), cluster(unowned(TEAM.id())), identical(Set.of(TEAM)));

    assertThat(plan.actions()).containsExactly(TAKE_OVER);
    assertThat(plan.problems().conflicts()).isEmpty();
  }

  @Test
  void leavesWhatDiffersAlone() {
    var plan = planner.plan(feed(TEAM), cluster(unowned(TEAM.id())), identical(Set.of()));

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.problems().conflicts())
        .extracting(Plan.Conflict::reason)
        .containsExactly(
            "an object of this name exists and is not managed by policy-sync; it is not known to"
                + " be identical; set ADOPT=always to take it over");
  }

  @Test
  void leavesAnotherSourcesPolicyAloneEvenIfItIsTheSame() {
    var elsewhere = applied(desired(TEAM, SourceName.of("acme", "prod-2")));

    var plan = planner.plan(feed(TEAM), cluster(elsewhere), identical(Set.of(TEAM)));

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.problems().conflicts())
        .extracting(Plan.Conflict::reason)
        .containsExactly(
            "it was applied by another source, acme/prod-2; set ADOPT=always to take it over");
  }

  @Test
  void takesNothingForIdenticalThatChangedSince() {
    var policyDecision =
        new PolicyDecider(IDENTICAL).decide(desired(TEAM), Optional.of(unowned(TEAM.id())));

    assertThat(policyDecision).isInstanceOf(PolicyDecision.Clash.class);
  }

  private static PlanContext identical(Set<Policy> policies) {
    return new PlanContext(
        RemovalHistory.NONE,
        DriftHistory.NONE,
        Optional.empty(),
        Set.copyOf(policies.stream().map(Policy::id).toList()));
  }
}
