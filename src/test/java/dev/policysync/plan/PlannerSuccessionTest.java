package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static dev.policysync.policy.PolicyFixtures.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Policies that the agent made of one of the feed, and what they take the place of.
class PlannerSuccessionTest {
  private static final Policy LEGACY = clusterPolicy("x");

  private final Planner planner = new Planner(RULES);

  @Test
  void replaceThePolicyThatTheyWereMadeOf() {
    var successor = successor(Stage.REPLACEMENT);

    var plan =
        planner.plan(
            feed(successor), cluster(applied(LEGACY), applied(successor)), PlanContext.NONE);

    var number = applied(successor).generation();
    assertThat(plan.actions())
        .containsExactly(
            new Action.Remove(
                LEGACY.id(),
                version(LEGACY.id()),
                Set.of(successor.id()),
                Action.Cause.REPLACED,
                Set.of(
                    new Action.Remove.Generation(
                        successor.id(), version(successor.id()).uid(), number))));
    assertThat(plan.ofFeed(successor.id())).isEqualTo(LEGACY.id());
  }

  @Test
  void replaceNothingByAFeedThatIsNotReadToTheEnd() {
    var successor = successor(Stage.REPLACEMENT);

    var plan =
        planner.plan(
            feed(List.of(successor), unreadable()),
            cluster(applied(LEGACY), applied(successor)),
            PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld())
        .containsExactly(new Withheld(LEGACY.id(), Guard.FEED_INCOMPLETE));
  }

  @Test
  void replaceNothingInAClusterThatIsNotReadToTheEnd() {
    var successor = successor(Stage.REPLACEMENT);
    var unreadable =
        with(
            cluster(applied(LEGACY), applied(successor)),
            PolicyKind.NAMESPACED_POLICY,
            unlistable());

    var plan = planner.plan(feed(successor), unreadable, PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld())
        .containsExactly(new Withheld(LEGACY.id(), Guard.CLUSTER_INCOMPLETE));
  }

  /// Nobody is told of the removal of what was never more than a rehearsal.
  @Test
  void areRehearsalsUntilTheyAreGone() {
    var rehearsing = successor(Stage.REHEARSAL);
    var inForce = successor(Stage.SIDE_BY_SIDE);

    assertThat(gone(rehearsing).rehearses(rehearsing.id())).isTrue();
    assertThat(gone(inForce).rehearses(inForce.id())).isFalse();
  }

  private Plan gone(Policy successor) {
    var plan =
        planner.plan(feed(LEGACY), cluster(applied(LEGACY), applied(successor)), PlanContext.NONE);
    assertThat(plan.actions()).extracting(Action::id).containsExactly(successor.id());
    return plan;
  }

  private static Policy successor(Stage stage) {
    var made = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    return new Policy(
        made.id(),
        made.content(),
        made.position(),
        Optional.of(new Succession(LEGACY.id(), stage)));
  }
}
