package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.ListedPolicies;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.time.Instant;
import java.util.Arrays;
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
        .containsExactly(new Told("team", Operation.APPLY, true, NOW, TEAM_BODY, ""));
  }

  @Test
  void tellsOfWhatFailedAndWhy() {
    assertThat(statuses(feed(TEAM), new Outcome.Failed(create(TEAM), DENIED)))
        .containsExactly(
            new Told(
                "team",
                Operation.APPLY,
                false,
                NOW,
                TEAM_BODY,
                "ClusterPolicy/team: the webhook denied it"));
  }

  @Test
  void tellsOfWhatWasRemovedAsMuchAsIsLeftOfIt() {
    var id = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "gone");

    assertThat(statuses(feed(TEAM), done(remove(id))))
        .containsExactly(
            new Told(
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
                ""));
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
            new Told("team", Operation.APPLY, true, NOW, TEAM_BODY + "---\n" + CEL_BODY, ""));
  }

  @Test
  void letsTheWorstResultOfANameWin() {
    assertThat(
            statuses(feed(TEAM, CEL), done(create(TEAM)), new Outcome.Failed(create(CEL), DENIED)))
        .containsExactly(
            new Told(
                "team",
                Operation.APPLY,
                false,
                NOW,
                TEAM_BODY + "---\n" + CEL_BODY,
                "NamespacedValidatingPolicy/shop/team: the webhook denied it"));
  }

  @Test
  void namesEveryFailureOfAName() {
    assertThat(
            statuses(
                feed(TEAM, CEL),
                new Outcome.Failed(create(TEAM), DENIED),
                new Outcome.Failed(create(CEL), DENIED)))
        .singleElement()
        .extracting(Told::output)
        .isEqualTo(
            """
            ClusterPolicy/team: the webhook denied it
            NamespacedValidatingPolicy/shop/team: the webhook denied it\
            """);
  }

  @Test
  void callsAMoveToAnotherKindAnApply() {
    assertThat(statuses(feed(CEL), done(create(CEL)), done(remove(TEAM.id()))))
        .containsExactly(new Told("team", Operation.APPLY, true, NOW, CEL_BODY, ""));
  }

  @Test
  void callsNoNameRemovedOfWhichAnotherPolicyIsInForce() {
    var inForce = new PlanDraft().unchanged(List.of(CEL.id()));

    var statuses = statuses(feed(CEL), inForce, done(remove(TEAM.id())));

    assertThat(statuses)
        .containsExactly(new Told("team", Operation.APPLY, true, NOW, CEL_BODY, ""));
  }

  @Test
  void callsAMoveFailedThatCouldNotRemoveTheOldKind() {
    assertThat(
            statuses(feed(CEL), done(create(CEL)), new Outcome.Failed(remove(TEAM.id()), DENIED)))
        .containsExactly(
            new Told(
                "team",
                Operation.APPLY,
                false,
                NOW,
                CEL_BODY,
                "ClusterPolicy/team: the webhook denied it"));
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

    var statuses = statuses(feed(TEAM), new PlanDraft().rejected(List.of(known, named, nameless)));

    assertThat(statuses)
        .containsExactly(
            new Told(
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
                "ClusterPolicy/half: it has no spec"),
            new Told("cm", Operation.APPLY, false, NOW, "", "feed, document 2: it has no spec"));
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
        statuses(feed(TEAM, CEL), new PlanDraft().rejected(List.of(rejected)), done(create(TEAM)));

    assertThat(statuses)
        .singleElement()
        .satisfies(status -> {
          assertThat(status.success()).isFalse();
          assertThat(status.output()).isEqualTo("NamespacedValidatingPolicy/shop/team: no CRD");
          assertThat(status.body()).isEqualTo(CEL_BODY + "---\n" + TEAM_BODY);
        });
  }

  private static List<Told> statuses(ExpectedPolicies expectedPolicies, Outcome... outcomes) {
    return statuses(expectedPolicies, new PlanDraft(), outcomes);
  }

  private static List<Told> statuses(
      ExpectedPolicies expectedPolicies, PlanDraft draft, Outcome... outcomes) {
    var actions = Arrays.stream(outcomes).map(Outcome::action).distinct().toList();
    var plan = draft.actions(actions).plan();
    var builder =
        new PolicyStatusBuilder(
            Feed.of(List.of()),
            expectedPolicies,
            plan,
            new ListedPolicies(Set.copyOf(PolicyKind.all()), Set.of(), Set.of()),
            StatusBacklog.none(SOURCE));
    return builder.names().stream()
        .flatMap(name -> builder.statusOf(name, of(name, outcomes), NOW).stream())
        .map(status -> Told.of(status, builder))
        .toList();
  }

  private static List<Outcome> of(String name, Outcome... outcomes) {
    return Arrays.stream(outcomes)
        .filter(outcome -> outcome.action().id().name().equals(name))
        .toList();
  }

  /// What the API is told.
  private record Told(
      String name, Operation operation, boolean success, Instant at, String body, String output) {
    static Told of(PolicyStatus status, PolicyStatusBuilder builder) {
      return new Told(
          status.name(),
          status.operation(),
          status.success(),
          status.at(),
          builder.body(status),
          status.output());
    }
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
