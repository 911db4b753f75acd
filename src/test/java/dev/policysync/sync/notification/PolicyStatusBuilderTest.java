package dev.policysync.sync.notification;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.state.PolicyStatus;
import dev.policysync.sync.state.PolicyStatus.Operation;
import dev.policysync.sync.state.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyStatusBuilderTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "the webhook denied it");
  private static final Policy TEAM = clusterPolicy("team", "{'background': true}");
  private static final Policy CEL =
      policy(PolicyId.of(PolicyKind.NAMESPACED_VALIDATING_POLICY, "shop", "team"), "{'a': 1}");
  private static final String TEAM_BODY =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: team
      spec:
        background: true
      """;
  private static final String CEL_BODY =
      """
      apiVersion: policies.kyverno.io/v1
      kind: NamespacedValidatingPolicy
      metadata:
        name: team
        namespace: shop
      spec:
        a: 1
      """;

  @Test
  void tellsOfWhatWasApplied() {
    assertThat(statuses(feed(TEAM), done(create(TEAM))))
        .containsExactly(
            new PolicyStatus("team", Operation.APPLY, true, NOW, TEAM_BODY, "", List.of()));
  }

  @Test
  void tellsOfWhatFailedAndWhy() {
    assertThat(statuses(feed(TEAM), new Outcome.Failed(create(TEAM), DENIED)))
        .containsExactly(
            new PolicyStatus(
                "team",
                Operation.APPLY,
                false,
                NOW,
                TEAM_BODY,
                "ClusterPolicy/team: the webhook denied it",
                List.of()));
  }

  @Test
  void tellsOfWhatWasRemovedAsMuchAsIsLeftOfIt() {
    var id = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "gone");

    assertThat(statuses(feed(TEAM), done(remove(id))))
        .containsExactly(
            new PolicyStatus(
                "gone",
                Operation.DELETE,
                true,
                NOW,
                """
                apiVersion: kyverno.io/v1
                kind: Policy
                metadata:
                  name: gone
                  namespace: shop
                """,
                "",
                List.of()));
  }

  @Test
  void saysNothingOfWhatWasNotWritten() {
    var action = create(TEAM);

    assertThat(
            statuses(
                feed(TEAM),
                new Outcome.NotAttempted(action, StopReason.LEASE_LOST),
                new Outcome.Settled(action),
                new Outcome.Dropped(action, "taken")))
        .isEmpty();
  }

  @Test
  void tellsOnceOfAllPoliciesOfOneName() {
    assertThat(statuses(feed(TEAM, CEL), done(create(TEAM)), done(create(CEL))))
        .containsExactly(
            new PolicyStatus(
                "team", Operation.APPLY, true, NOW, TEAM_BODY + "---\n" + CEL_BODY, "", List.of()));
  }

  @Test
  void letsTheWorstResultOfANameWin() {
    assertThat(
            statuses(feed(TEAM, CEL), done(create(TEAM)), new Outcome.Failed(create(CEL), DENIED)))
        .containsExactly(
            new PolicyStatus(
                "team",
                Operation.APPLY,
                false,
                NOW,
                TEAM_BODY + "---\n" + CEL_BODY,
                "NamespacedValidatingPolicy/shop/team: the webhook denied it",
                List.of()));
  }

  @Test
  void namesEveryFailureOfAName() {
    assertThat(
            statuses(
                feed(TEAM, CEL),
                new Outcome.Failed(create(TEAM), DENIED),
                new Outcome.Failed(create(CEL), DENIED)))
        .singleElement()
        .extracting(PolicyStatus::output)
        .isEqualTo(
            """
            ClusterPolicy/team: the webhook denied it
            NamespacedValidatingPolicy/shop/team: the webhook denied it\
            """);
  }

  @Test
  void callsAMoveToAnotherKindAnApply() {
    assertThat(statuses(feed(CEL), done(create(CEL)), done(remove(TEAM.id()))))
        .containsExactly(
            new PolicyStatus("team", Operation.APPLY, true, NOW, CEL_BODY, "", List.of()));
  }

  @Test
  void callsNoNameRemovedOfWhichAnotherPolicyIsInForce() {
    var inForce = new PlanDraft().unchanged(List.of(CEL.id())).plan();

    var statuses =
        PolicyStatusBuilder.of(
            feed(CEL), inForce, List.of(done(remove(TEAM.id()))), RunState.NONE, NOW);

    assertThat(statuses)
        .containsExactly(
            new PolicyStatus("team", Operation.APPLY, true, NOW, CEL_BODY, "", List.of(CEL.id())));
  }

  @Test
  void callsAMoveFailedThatCouldNotRemoveTheOldKind() {
    assertThat(
            statuses(feed(CEL), done(create(CEL)), new Outcome.Failed(remove(TEAM.id()), DENIED)))
        .containsExactly(
            new PolicyStatus(
                "team",
                Operation.APPLY,
                false,
                NOW,
                CEL_BODY,
                "ClusterPolicy/team: the webhook denied it",
                List.of()));
  }

  @Test
  void tellsOfWhatWasRejectedBeforeAnythingWasTried() {
    var unreadable = new Failure(Failure.Cause.UNREADABLE, "it has no spec");
    var known =
        new Rejected(
            "ClusterPolicy/half",
            Optional.of("half"),
            Optional.of(clusterPolicyId("half")),
            unreadable);
    var named = new Rejected("feed, document 2", Optional.of("cm"), Optional.empty(), unreadable);
    var nameless = new Rejected("feed, document 3", Optional.empty(), Optional.empty(), unreadable);
    var plan = plan(List.of(), known, named, nameless);

    var statuses = PolicyStatusBuilder.of(feed(TEAM), plan, List.of(), RunState.NONE, NOW);

    assertThat(statuses)
        .map(PolicyStatusBuilderTest::unaddressed)
        .containsExactly(
            new PolicyStatus(
                "half",
                Operation.APPLY,
                false,
                NOW,
                """
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata:
                  name: half
                """,
                "ClusterPolicy/half: it has no spec",
                List.of()),
            new PolicyStatus(
                "cm",
                Operation.APPLY,
                false,
                NOW,
                "",
                "feed, document 2: it has no spec",
                List.of()));
  }

  @Test
  void letsARejectedPolicyWinOverAnAppliedOneOfItsName() {
    var absent = new Failure(Failure.Cause.KIND_ABSENT, "no CRD");
    var rejected =
        new Rejected(
            "NamespacedValidatingPolicy/shop/team",
            Optional.of("team"),
            Optional.of(CEL.id()),
            absent);

    var statuses =
        PolicyStatusBuilder.of(
            feed(TEAM, CEL),
            plan(List.of(create(TEAM)), rejected),
            List.of(done(create(TEAM))),
            RunState.NONE,
            NOW);

    assertThat(statuses)
        .singleElement()
        .satisfies(status -> {
          assertThat(status.success()).isFalse();
          assertThat(status.output()).isEqualTo("NamespacedValidatingPolicy/shop/team: no CRD");
          assertThat(status.body()).isEqualTo(CEL_BODY + "---\n" + TEAM_BODY);
        });
  }

  private static List<PolicyStatus> statuses(
      ExpectedPolicies expectedPolicies, Outcome... outcomes) {
    return PolicyStatusBuilder.of(
            expectedPolicies, plan(List.of()), List.of(outcomes), RunState.NONE, NOW)
        .stream()
        .map(PolicyStatusBuilderTest::unaddressed)
        .toList();
  }

  /// A status without the policies that it is of.
  private static PolicyStatus unaddressed(PolicyStatus status) {
    return new PolicyStatus(
        status.name(),
        status.operation(),
        status.success(),
        status.at(),
        status.body(),
        status.output(),
        List.of());
  }

  private static Plan plan(List<Action> actions, Rejected... rejected) {
    return new PlanDraft().actions(actions).rejected(List.of(rejected)).plan();
  }

  private static Action create(Policy policy) {
    return new Action.Create(desired(policy));
  }

  private static Action remove(PolicyId id) {
    return new Action.Remove(id, version(id), Set.of());
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
