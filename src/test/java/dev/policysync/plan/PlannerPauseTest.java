package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.ADOPTING;
import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.withStatus;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.LiveStatus.Pause;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.Plan.Ignored;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What somebody asked us to leave alone: neither updated, nor removed, nor taken over.
class PlannerPauseTest {
  private static final Pause PAUSE =
      new Pause(Optional.of("kubectl-annotate"), Optional.of(Instant.EPOCH));
  private static final Policy STAYS = clusterPolicy("stays");
  private static final Policy PAUSED = clusterPolicy("paused");

  private final Planner planner = new Planner(RULES);

  @Test
  void isNotUpdatedAndSaysWhetherItDiffers() {
    var drifted = PlanFixtures.ownedOnly(PAUSED.id());

    var same = planner.plan(feed(PAUSED), cluster(paused(applied(PAUSED))), PlanContext.NONE);
    var other = planner.plan(feed(PAUSED), cluster(paused(drifted)), PlanContext.NONE);

    assertThat(same)
        .isEqualTo(new PlanDraft().ignored(List.of(ignored(PAUSED, Ignored.Feed.AGREES))).plan());
    assertThat(other)
        .isEqualTo(new PlanDraft().ignored(List.of(ignored(PAUSED, Ignored.Feed.DIFFERS))).plan());
  }

  @Test
  void isNotRemovedNorCountedAsAsked() {
    var plan =
        planner.plan(
            feed(STAYS), cluster(applied(STAYS), paused(applied(PAUSED))), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld()).isEmpty();
    assertThat(plan.retained().ignored()).containsExactly(ignored(PAUSED, Ignored.Feed.LACKS_IT));
  }

  @Test
  void isNoConflictAndNotTakenOver() {
    var taken = paused(unowned(PAUSED.id()));

    var plan = new Planner(ADOPTING).plan(feed(PAUSED), cluster(taken), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.problems().conflicts()).isEmpty();
    assertThat(plan.retained().ignored()).containsExactly(ignored(PAUSED, Ignored.Feed.DIFFERS));
  }

  @Test
  void keepsWhatItIsToTakeThePlaceOf() {
    var old = clusterPolicy("moves");
    var successor = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "moves"));

    var plan =
        planner.plan(
            feed(successor, STAYS),
            cluster(applied(STAYS), applied(old), paused(applied(successor))),
            PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.retained().kept()).extracting(Plan.Kept::id).containsExactly(old.id());
  }

  @Test
  void isNobodysThatIsNotOurs() {
    var foreign = paused(unowned(clusterPolicyId("foreign")));

    var plan = planner.plan(feed(STAYS), cluster(applied(STAYS), foreign), PlanContext.NONE);

    assertThat(plan.retained().ignored()).isEmpty();
  }

  @Test
  void countsOnTheLiveObjectAlone() {
    var content = PAUSED.content();
    var annotations =
        Value.Mapping.EMPTY.with(OwnershipAnnotations.RECONCILE, OwnershipAnnotations.DISABLED);
    var metadata = content.mapping("metadata").with("annotations", annotations);
    var marked =
        new Policy(PAUSED.id(), content.with("metadata", metadata), new Position("feed", 1, 1, 1));

    assertThat(
            PlanFixtures.desired(marked)
                .manifest()
                .mapping("metadata")
                .mapping("annotations")
                .field(OwnershipAnnotations.RECONCILE))
        .isEmpty();
  }

  private static Ignored ignored(Policy policy, Ignored.Feed feed) {
    return new Ignored(policy.id(), PAUSE, feed);
  }

  private static LivePolicy paused(LivePolicy live) {
    return withStatus(
        live,
        new LiveStatus(Readiness.UNKNOWN, Optional.empty(), Optional.empty(), Optional.of(PAUSE)));
  }
}
