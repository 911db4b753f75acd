package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.withOwnership;
import static dev.policysync.plan.managedfields.OwnershipFixtures.updatedBy;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Plan.ManagerConflict;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A policy that the same others change again after every repair is a fight, and they are named.
class PlannerManagerConflictTest {
  private static final Policy TEAM = clusterPolicy("team");
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");

  @Test
  void isOneOnceTheSameManagerMadeTheThirdRepairNecessary() {
    var once = DriftHistory.NONE.with(TEAM.id(), Set.of("argocd"), NOW);
    var twice = once.with(TEAM.id(), Set.of("argocd", "kubectl-edit"), NOW);

    assertThat(fights(DriftHistory.NONE, "argocd")).isEmpty();
    assertThat(fights(once, "argocd")).isEmpty();
    assertThat(fights(twice, "argocd"))
        .containsExactly(new ManagerConflict(TEAM.id(), Set.of("argocd"), 3));
  }

  @Test
  void isNoneBetweenUsAndDifferentOthers() {
    var driftHistory =
        DriftHistory.NONE
            .with(TEAM.id(), Set.of("kubectl-edit"), NOW)
            .with(TEAM.id(), Set.of("argocd"), NOW);

    assertThat(fights(driftHistory, "argocd")).isEmpty();
    assertThat(driftHistory.times(TEAM.id(), Set.of("kubectl-edit"))).isZero();
  }

  @Test
  void isForgottenAfterADay() {
    var driftHistory =
        DriftHistory.NONE
            .with(TEAM.id(), Set.of("argocd"), NOW)
            .with(TEAM.id(), Set.of("argocd"), NOW);

    assertThat(fights(driftHistory.withoutExpired(NOW.plus(Duration.ofHours(24))), "argocd"))
        .hasSize(1);
    assertThat(
            fights(
                driftHistory.withoutExpired(NOW.plus(Duration.ofHours(24)).plusSeconds(1)),
                "argocd"))
        .isEmpty();
  }

  @Test
  void isOneWithWhoeverRemovesFieldsAndLeavesNoTrace() {
    var driftHistory =
        DriftHistory.NONE.with(TEAM.id(), Set.of(), NOW).with(TEAM.id(), Set.of(), NOW);

    var plan =
        new Planner(RULES)
            .plan(
                feed(TEAM),
                cluster(withOwnership(applied(TEAM), new FieldOwnership(List.of()))),
                new PlanContext(RemovalHistory.NONE, driftHistory, Optional.empty(), Set.of()));

    assertThat(plan.problems().managerConflicts())
        .containsExactly(new ManagerConflict(TEAM.id(), Set.of(), 3));
  }

  private static List<ManagerConflict> fights(DriftHistory driftHistory, String manager) {
    var live = applied(TEAM);
    var entries = new ArrayList<>(live.ownership().entries());
    entries.add(updatedBy(manager, "{'f:spec': {'f:failurePolicy': {}}}"));
    return new Planner(RULES)
        .plan(
            feed(TEAM),
            cluster(withOwnership(live, new FieldOwnership(entries))),
            new PlanContext(RemovalHistory.NONE, driftHistory, Optional.empty(), Set.of()))
        .problems()
        .managerConflicts();
  }
}
