package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.PolicyEvent.Reason;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// One event a policy, what needs somebody first, and never a flood.
class PolicyEventBuilderTest {
  private static final Failure REFUSED = new Failure(Failure.Cause.INVALID, "HTTP 422, no rules");

  @Test
  void tellsWhatNeedsSomebodyFirst() {
    var created = new Action.Create(desired(clusterPolicy("new")));
    var failed = new Action.Create(desired(clusterPolicy("bad")));
    var plan =
        plan(
            List.of(
                new Plan.Rejected("feed, document 3", Optional.empty(), Optional.empty(), REFUSED)),
            List.of(new Plan.Withheld(id("gone"), Guard.EMPTY_FEED)));

    var events =
        PolicyEventBuilder.of(
            plan,
            List.of(
                new Outcome.Done(created, List.of()),
                new Outcome.Failed(failed, REFUSED),
                new Outcome.NotAttempted(created, StopReason.SIGNAL)),
            List.of());

    assertThat(events)
        .containsExactly(
            new PolicyEvent(
                Reason.POLICY_FAILED, Optional.empty(), "feed, document 3: HTTP 422, no rules"),
            new PolicyEvent(
                Reason.POLICY_FAILED,
                Optional.of(id("bad")),
                "ClusterPolicy/bad: HTTP 422, no rules"),
            new PolicyEvent(
                Reason.REMOVAL_WITHHELD,
                Optional.of(id("gone")),
                "ClusterPolicy/gone: the feed is empty"),
            new PolicyEvent(
                Reason.POLICY_APPLIED, Optional.of(id("new")), "ClusterPolicy/new: new"));
  }

  @Test
  void tellsTheRestOfManyInOne() {
    var withheld =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Plan.Withheld(id("p-" + i), Guard.OVER_BUDGET))
            .toList();

    var events = PolicyEventBuilder.of(plan(List.of(), withheld), List.of(), List.of());

    assertThat(events).hasSize(11);
    assertThat(events.getLast())
        .isEqualTo(
            new PolicyEvent(
                Reason.REMOVAL_WITHHELD, Optional.empty(), "990 more, see the run's summary"));
  }

  private static PolicyId id(String name) {
    return PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
  }

  private static Plan plan(List<Plan.Rejected> rejected, List<Plan.Withheld> withheld) {
    return new PlanDraft().rejected(rejected).withhold(withheld).plan();
  }
}
