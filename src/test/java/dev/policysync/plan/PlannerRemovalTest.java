package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.absent;
import static dev.policysync.plan.PlanFixtures.annotated;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.ownedOnly;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.plan.PlanFixtures.withStatus;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static dev.policysync.policy.PolicyFixtures.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What leaves the cluster, and what holds it back (promises 3 to 6).
class PlannerRemovalTest {
  private static final Policy STAYS = clusterPolicy("stays");
  private static final Policy GONE = clusterPolicy("gone");

  private final Planner planner = new Planner(RULES);

  @Test
  void removesWhatLeftTheFeed() {
    var plan = planner.plan(feed(STAYS), cluster(applied(STAYS), applied(GONE)), PlanContext.NONE);

    assertThat(plan)
        .isEqualTo(
            new PlanDraft()
                .actions(List.of(removal(GONE.id())))
                .unchanged(List.of(STAYS.id()))
                .note(new RemovalHistory.Note(Optional.empty(), 0, 2))
                .plan());
  }

  @Test
  void removesWhatTheAgentBeforeItApplied() {
    var id = clusterPolicyId("gone");

    assertThat(
            planner
                .plan(feed(STAYS), cluster(applied(STAYS), ownedOnly(id)), PlanContext.NONE)
                .actions())
        .containsExactly(removal(id));
  }

  /// The feed may have forgotten the namespace, or the agent may run with another one.
  @Test
  void keepsAPolicyThatOneWithoutANamespaceMayBe() {
    var agents = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "agent", "x"));
    var shop = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "x"));
    var other = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "y"));
    var live = cluster(applied(agents), applied(shop), applied(other));

    var plan =
        planner.plan(
            new ExpectedPolicies(List.of(agents), List.of(), List.of(agents.id())),
            live,
            PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(removal(other.id()));
    assertThat(plan.retained().kept())
        .singleElement()
        .satisfies(kept -> {
          assertThat(kept.id()).isEqualTo(shop.id());
          assertThat(kept.reason()).contains("without metadata.namespace");
        });
  }

  @Test
  void removesANamespacedPolicyInItsOwnNamespaceOnly() {
    var bank = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "bank", "x"));
    var shop = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "x"));

    var plan = planner.plan(feed(shop), cluster(applied(bank), applied(shop)), PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(removal(bank.id()));
  }

  @Test
  void removesInTheReverseOrderAfterEverythingElse() {
    var ids =
        List.of(
            PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g"),
            PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e"),
            PolicyId.of(PolicyKind.CLUSTER_POLICY, "p"),
            PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b"));
    var live = new ArrayList<LivePolicy>();
    ids.forEach(id -> live.add(applied(policy(id))));
    var generous =
        new Planner(new PlannerOptions(SOURCE, Adoption.NEVER, new RemovalBudget.Count(4)));

    var plan = generous.plan(feed(STAYS), cluster(live), PlanContext.NONE);

    assertThat(plan.actions())
        .extracting(action -> action.id().toString())
        .containsExactly(
            "ClusterPolicy/stays",
            "ValidatingAdmissionPolicyBinding/b",
            "ClusterPolicy/p",
            "PolicyException.kyverno.io/shop/e",
            "GlobalContextEntry/g");
  }

  @Test
  void movesAPolicyToAnotherKindByApplyingOneAndThenRemovingTheOther() {
    var before = clusterPolicy("x");
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));

    var plan = planner.plan(feed(after), cluster(applied(before)), PlanContext.NONE);

    assertThat(plan.actions())
        .containsExactly(
            new Action.Create(desired(after)),
            new Action.Remove(before.id(), version(before.id()), Set.of(after.id())));
  }

  /// Else nothing would be in force under that name.
  @Test
  void withholdsAPolicyWhoseSuccessorCannotComeIntoForce() {
    var before = clusterPolicy("x");
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var taken = cluster(applied(before), unowned(after.id()));
    var unserved = with(cluster(applied(before)), PolicyKind.VALIDATING_POLICY, absent());

    for (var actualPolicies : List.of(taken, unserved)) {
      var plan = planner.plan(feed(after), actualPolicies, PlanContext.NONE);

      assertThat(plan.actions()).isEmpty();
      assertThat(plan.pending().withheld())
          .containsExactly(new Withheld(before.id(), Guard.SUCCESSOR_STUCK));
    }
  }

  @Test
  void waitsForAllSuccessorsInWhateverNamespace() {
    var before = clusterPolicy("x");
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var namespaced = policy(PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "x"));

    var plan =
        planner.plan(
            feed(cel, namespaced, STAYS),
            cluster(applied(before), applied(cel), applied(STAYS)),
            PlanContext.NONE);

    assertThat(plan.actions())
        .containsExactly(
            new Action.Create(desired(namespaced)),
            new Action.Remove(
                before.id(),
                version(before.id()),
                Set.of(cel.id(), namespaced.id()),
                Action.Cause.GONE_FROM_FEED,
                Set.of(new Action.Remove.Generation(cel.id(), version(cel.id()).uid(), 1))));
  }

  @Test
  void keepsASuccessorUntilKyvernoIsReadyForWhatItWasMadeOf() {
    var legacy = clusterPolicy("x");
    var made = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var successor = annotated(applied(made), OwnershipAnnotations.SUCCESSOR_OF, legacy.id().key());
    var notReady =
        new LiveStatus(
            LiveStatus.Readiness.NOT_READY, Optional.empty(), Optional.empty(), Optional.empty());

    var waiting =
        planner.plan(
            feed(legacy, STAYS),
            cluster(withStatus(applied(legacy), notReady), successor, applied(STAYS)),
            PlanContext.NONE);
    var ready =
        planner.plan(
            feed(legacy, STAYS),
            cluster(applied(legacy), successor, applied(STAYS)),
            PlanContext.NONE);

    assertThat(waiting.actions()).isEmpty();
    assertThat(waiting.retained().kept())
        .containsExactly(new Plan.Kept(made.id(), "stays until " + legacy.id() + " is in force"));
    assertThat(ready.actions()).extracting(Action::id).containsExactly(made.id());
  }

  @Test
  void leavesATerminatingPolicyToItsFinalizer() {
    var plan =
        planner.plan(
            feed(STAYS), cluster(applied(STAYS), terminating(applied(GONE))), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld()).isEmpty();
    assertThat(plan.retained().terminating())
        .containsExactly(new Plan.Terminating(GONE.id(), Optional.empty()));
  }

  @Test
  void withholdsEveryRemovalWhileADocumentCannotBeRead() {
    assertWithheld(feed(List.of(STAYS), unreadable()), Guard.FEED_INCOMPLETE, GONE.id());
  }

  @Test
  void keepsTheTwinOfADocumentThatCannotBeRead() {
    var twin = unreadable(Optional.of(GONE.id()), Optional.of("gone"));

    var plan =
        planner.plan(
            feed(List.of(STAYS), twin), cluster(applied(STAYS), applied(GONE)), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld()).isEmpty();
  }

  @Test
  void withholdsEveryRemovalWhenTheFeedIsEmpty() {
    assertWithheld(feed(), Guard.EMPTY_FEED, GONE.id(), STAYS.id());
  }

  @Test
  void withholdsEveryRemovalWhileAKindCannotBeListed() {
    var actualPolicies =
        with(cluster(applied(STAYS), applied(GONE)), PolicyKind.DELETING_POLICY, unlistable());

    var plan = planner.plan(feed(STAYS), actualPolicies, PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld())
        .containsExactly(new Withheld(GONE.id(), Guard.CLUSTER_INCOMPLETE));
  }

  @Test
  void removesAllTheSameWhereAKindIsAbsent() {
    var actualPolicies =
        with(cluster(applied(STAYS), applied(GONE)), PolicyKind.DELETING_POLICY, absent());

    assertThat(planner.plan(feed(STAYS), actualPolicies, PlanContext.NONE).actions())
        .containsExactly(removal(GONE.id()));
  }

  @Test
  void appliesWhereItWithholds() {
    var plan =
        planner.plan(feed(List.of(STAYS), unreadable()), cluster(applied(GONE)), PlanContext.NONE);

    assertThat(plan.actions()).containsExactly(new Action.Create(desired(STAYS)));
    assertThat(plan.pending().withheld()).hasSize(1);
  }

  @Test
  void removesTwoOfAFewAndNoMore() {
    assertThat(removals(RemovalBudget.DEFAULT, 3, 2)).isEqualTo(2);
    assertThat(removals(RemovalBudget.DEFAULT, 9, 3)).isZero();
  }

  @Test
  void removesAFifthOfManyAndNoMore() {
    assertThat(removals(RemovalBudget.DEFAULT, 15, 3)).isEqualTo(3);
    assertThat(removals(RemovalBudget.DEFAULT, 14, 3)).isZero();
    assertThat(removals(RemovalBudget.DEFAULT, 24, 5)).isZero();
    assertThat(removals(RemovalBudget.DEFAULT, 25, 5)).isEqualTo(5);
  }

  @Test
  void removesAsManyAsTheNumberAllows() {
    assertThat(removals(new RemovalBudget.Count(3), 5, 3)).isEqualTo(3);
    assertThat(removals(new RemovalBudget.Count(3), 50, 4)).isZero();
    assertThat(removals(new RemovalBudget.Count(0), 50, 1)).isZero();
  }

  @Test
  void removesNothingByABudgetOfNoPercent() {
    assertThat(removals(new RemovalBudget.Share(0), 50, 1)).isZero();
    assertThat(removals(new RemovalBudget.Share(100), 50, 49)).isEqualTo(49);
  }

  @Test
  void countsOnlyItsOwnForThePercentage() {
    var live = new ArrayList<LivePolicy>();
    for (int i = 0; i < 40; i++) {
      live.add(unowned(clusterPolicyId("theirs-" + i)));
      live.add(
          annotated(
              applied(clusterPolicy("staging-" + i)), OwnershipAnnotations.SOURCE, "acme/staging"));
    }
    for (var name : List.of("a", "b", "c")) {
      live.add(applied(clusterPolicy(name)));
    }
    live.add(applied(STAYS));

    var plan = planner.plan(feed(STAYS), cluster(live), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    var reason = "3 requested; MAX_REMOVALS=20% allows 2 of 4";
    assertThat(plan.pending().withheld())
        .containsExactly(
            new Withheld(clusterPolicyId("a"), Guard.OVER_BUDGET, reason),
            new Withheld(clusterPolicyId("b"), Guard.OVER_BUDGET, reason),
            new Withheld(clusterPolicyId("c"), Guard.OVER_BUDGET, reason));
  }

  @Test
  void countsOnlyWhatItWouldRemoveAgainstTheBudget() {
    var live = new ArrayList<LivePolicy>();
    live.add(applied(STAYS));
    live.add(annotated(applied(clusterPolicy("kept")), OwnershipAnnotations.PRUNE, "disabled"));
    live.add(applied(clusterPolicy("a")));
    live.add(applied(clusterPolicy("b")));

    assertThat(planner.plan(feed(STAYS), cluster(live), PlanContext.NONE).actions())
        .containsExactly(removal(clusterPolicyId("a")), removal(clusterPolicyId("b")));
  }

  private void assertWithheld(ExpectedPolicies expectedPolicies, Guard guard, PolicyId... ids) {
    var plan =
        planner.plan(expectedPolicies, cluster(applied(STAYS), applied(GONE)), PlanContext.NONE);

    assertThat(plan.actions()).isEmpty();
    assertThat(plan.pending().withheld()).extracting(Withheld::id).containsExactly(ids);
    assertThat(plan.pending().withheld()).extracting(Withheld::guard).containsOnly(guard);
  }

  /// How many removals are planned if so many of so many owned policies left the feed.
  private static long removals(RemovalBudget budget, int owned, int gone) {
    var planner = new Planner(new PlannerOptions(SOURCE, Adoption.NEVER, budget));
    var live = new ArrayList<LivePolicy>();
    var wanted = new ArrayList<Policy>();
    for (int i = 0; i < owned; i++) {
      var policy = clusterPolicy("p" + i);
      live.add(applied(policy));
      if (i >= gone) {
        wanted.add(policy);
      }
    }
    return planner.plan(feed(wanted), cluster(live), PlanContext.NONE).actions().stream()
        .filter(Action.Remove.class::isInstance)
        .count();
  }

  private static Action.Remove removal(PolicyId id) {
    return new Action.Remove(id, version(id), Set.of());
  }
}
