package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.plan.PlanFixtures.withStatus;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.ExceptionGuard.ServedPolicies;
import dev.policysync.plan.LiveStatus.Pause;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.UnreadableDocument;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Exceptions and context entries stay as long as a policy that they serve, and no policy begins to
/// block without them (promise 6).
class ExceptionGuardTest {
  private static final Policy X = clusterPolicy("x", "{'rules': [{'name': 'team'}]}");
  private static final Policy READER =
      clusterPolicy("reader", "{'rules': [{'context': [{'globalReference': {'name': 'g'}}]}]}");
  private static final Policy BINDING =
      policy(PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "x"));
  private static final Policy FOR_X = exception("e", "x");
  private static final Policy CONTEXT =
      policy(PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g"), "{}");
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Instant NOW = Instant.parse("2026-11-21T03:00:00Z");
  private static final Propagation QUIET = new Propagation(NOW, Optional.empty());

  @Test
  void namesTheWritesOfWhichAShieldIsMissingAndWhy() {
    var expectedPolicies = feed(X, clusterPolicy("other"), FOR_X);
    var writes = List.<Action>of(create(X), create(clusterPolicy("other")));

    for (var plan :
        List.of(
            plan(writes, List.of(), List.of(new Conflict(FOR_X.id(), "denied")), List.of()),
            plan(writes, List.of(rejected(FOR_X)), List.of(), List.of()))) {
      assertThat(ShieldedWrites.unshielded(plan, expectedPolicies))
          .containsExactly(
              new Withheld(X.id(), Guard.UNSHIELDED, "PolicyException.kyverno.io/shop/e: denied"));
    }
    assertThat(
            ShieldedWrites.unshielded(
                plan(
                    writes,
                    List.of(),
                    List.of(),
                    List.of(new Withheld(FOR_X.id(), Guard.HAZARD, "no-such-rule"))),
                expectedPolicies))
        .containsExactly(
            new Withheld(
                X.id(),
                Guard.UNSHIELDED,
                "PolicyException.kyverno.io/shop/e: lint reports an error: no-such-rule"));
  }

  @Test
  void namesEveryShieldThatIsMissing() {
    var second = exception("f", "x");
    var plan =
        plan(List.of(create(X)), List.of(rejected(FOR_X), rejected(second)), List.of(), List.of());

    assertThat(ShieldedWrites.unshielded(plan, feed(X, FOR_X, second)))
        .containsExactly(
            new Withheld(
                X.id(),
                Guard.UNSHIELDED,
                "PolicyException.kyverno.io/shop/e: denied; PolicyException.kyverno.io/shop/f:"
                    + " denied"));
  }

  @Test
  void missesAShieldWhoseDocumentCannotBeRead() {
    var document =
        new UnreadableDocument(
            Optional.of(FOR_X.id()),
            Optional.of("e"),
            List.of(new Position("feed", 2, 7, 1)),
            "it stands there twice",
            Optional.of(PolicyDependency.of(FOR_X.id().kind(), FOR_X.content())));

    assertThat(ShieldedWrites.unshielded(plan(create(X)), feed(List.of(X), document)))
        .containsExactly(
            new Withheld(
                X.id(),
                Guard.UNSHIELDED,
                "PolicyException.kyverno.io/shop/e: it stands there twice"));
  }

  @Test
  void missesAShieldThatIsLeftAloneAsItIs() {
    var pause = new Pause(Optional.of("kubectl-annotate"), Optional.of(Instant.EPOCH));
    var differs = new Plan.Ignored(FOR_X.id(), pause, Plan.Ignored.Feed.DIFFERS);
    var agrees = new Plan.Ignored(FOR_X.id(), pause, Plan.Ignored.Feed.AGREES);

    assertThat(ShieldedWrites.unshielded(ignoring(differs), feed(X, FOR_X)))
        .containsExactly(
            new Withheld(
                X.id(),
                Guard.UNSHIELDED,
                "PolicyException.kyverno.io/shop/e: " + differs.reason()));
    assertThat(ShieldedWrites.unshielded(ignoring(agrees), feed(X, FOR_X))).isEmpty();
  }

  private static Plan ignoring(Plan.Ignored ignored) {
    return new PlanDraft().actions(List.of(create(X))).ignored(List.of(ignored)).plan();
  }

  @Test
  void missesNoShieldWhereOnlyAPolicyCannotBeApplied() {
    var plan = plan(List.of(create(X)), List.of(rejected(READER)), List.of(), List.of());

    assertThat(ShieldedWrites.unshielded(plan, feed(X, READER, FOR_X))).isEmpty();
  }

  @Test
  void missesAContextEntryForThosePoliciesAloneThatReadIt() {
    var plan =
        plan(
            List.of(create(X), create(READER), create(BINDING), remove(clusterPolicy("gone"))),
            List.of(rejected(CONTEXT)),
            List.of(),
            List.of());

    assertThat(ShieldedWrites.unshielded(plan, feed(X, READER, BINDING, CONTEXT)))
        .extracting(Withheld::id)
        .containsExactly(READER.id());
  }

  @Test
  void removesAShieldOfWhichNothingInQuestionIsServed() {
    var plan = plan(remove(FOR_X), remove(CONTEXT));

    assertThat(guarded(plan, feed(), List.of(), serving(FOR_X), serving(CONTEXT)).actions())
        .isEqualTo(plan.actions());
  }

  @Test
  void keepsAShieldWhileAPolicyThatItServesStaysForNow() {
    var removal = remove(FOR_X);
    var live = List.of(applied(X));
    var stuck =
        List.of(
            plan(List.of(removal), List.of(), List.of(new Conflict(X.id(), "taken")), List.of()),
            plan(List.of(removal), List.of(rejected(X)), List.of(), List.of()),
            plan(
                List.of(removal),
                List.of(),
                List.of(),
                List.of(new Withheld(X.id(), Guard.SUCCESSOR_STUCK))));

    for (var plan : stuck) {
      var guarded = guarded(plan, feed(X), live, serving(FOR_X, X));

      assertThat(guarded.actions()).isEmpty();
      assertThat(guarded.pending().withheld())
          .contains(new Withheld(FOR_X.id(), Guard.STILL_SERVES, "ClusterPolicy/x"));
    }
  }

  @Test
  void leavesAShieldToALaterRunThanThePoliciesThatItServes() {
    var gone = clusterPolicy("gone");
    var old = exception("old", "gone");
    var plan = plan(remove(gone), remove(old), remove(FOR_X), create(X));

    var guarded =
        guarded(plan, feed(X), List.of(applied(gone)), serving(old, gone), serving(FOR_X, X));

    assertThat(guarded.actions()).containsExactly(create(X), remove(gone));
    assertThat(guarded.pending().waiting())
        .containsExactly(
            new Waiting(remove(FOR_X), List.of(X.id())),
            new Waiting(remove(old), List.of(gone.id())));
  }

  @Test
  void leavesAShieldToALaterRunThanAPolicyThatWaitsItself() {
    var plan =
        PlanDraft.of(plan(remove(FOR_X)))
            .postpone(List.of(new Waiting(create(X), List.of(CONTEXT.id()))))
            .plan();

    assertThat(guarded(plan, feed(X), List.of(applied(X)), serving(FOR_X, X)).pending().waiting())
        .contains(new Waiting(remove(FOR_X), List.of(X.id())));
  }

  @Test
  void leavesAPolicyToALaterRunThanTheOneThatTakesItsPlace() {
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var move = new Action.Remove(X.id(), version(X.id()), Set.of(after.id()));

    assertThat(
            guarded(plan(create(after), move), feed(after), List.of(applied(X)))
                .pending()
                .waiting())
        .containsExactly(new Waiting(move, List.of(after.id())));
  }

  /// What is gone does not tell since when: the run that removed it noted that.
  @Test
  void leavesWhatDependsOnAnotherRunsChangesToALaterOneForHalfAMinute() {
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var move = new Action.Remove(X.id(), version(X.id()), Set.of(after.id()));
    var other = remove(clusterPolicy("other"));
    var plan = plan(move, other, remove(FOR_X));

    for (var since : List.of(NOW, NOW.minusSeconds(29))) {
      var guarded =
          ExceptionGuard.guard(
              plan,
              feed(after),
              cluster(applied(X), applied(after)),
              Set.of(),
              Map.ofEntries(serving(FOR_X)),
              new Propagation(NOW, Optional.of(since)));

      assertThat(guarded.actions()).containsExactly(other);
      assertThat(guarded.pending().waiting())
          .containsExactly(new Waiting(move, List.of()), new Waiting(remove(FOR_X), List.of()));
    }
    assertThat(
            ExceptionGuard.guard(
                    plan,
                    feed(after),
                    cluster(applied(X), applied(after)),
                    Set.of(),
                    Map.ofEntries(serving(FOR_X)),
                    new Propagation(NOW, Optional.of(NOW.minusSeconds(30))))
                .pending()
                .waiting())
        .isEmpty();
  }

  @Test
  void namesTheWritesWhoseShieldsKyvernoMayNotKnow() {
    var second = exception("f", "reader");
    var recent = withStatus(applied(second), LiveStatus.appliedAt(NOW.minusSeconds(29)));
    var known = withStatus(applied(CONTEXT), LiveStatus.appliedAt(NOW.minusSeconds(30)));
    var plan =
        PlanDraft.of(plan(create(X), create(READER), create(BINDING), create(FOR_X)))
            .unchanged(List.of(second.id(), CONTEXT.id()))
            .plan();

    assertThat(
            ShieldedWrites.early(
                plan,
                feed(X, READER, BINDING, FOR_X, second, CONTEXT),
                cluster(recent, known),
                QUIET))
        .containsExactlyInAnyOrder(
            new Waiting(create(X), List.of(FOR_X.id())),
            new Waiting(create(READER), List.of(second.id())));
  }

  @Test
  void keepsAShieldUntilAPolicyThatLeftTheFeedIsGone() {
    var guarded =
        guarded(plan(remove(FOR_X)), feed(), List.of(terminating(applied(X))), serving(FOR_X, X));

    assertThat(guarded.pending().withheld())
        .containsExactly(new Withheld(FOR_X.id(), Guard.STILL_SERVES, "ClusterPolicy/x"));
  }

  @Test
  void keepsAShieldOfAPolicyThatNobodyExpectsAndNobodyRemoves() {
    var guarded = guarded(plan(remove(FOR_X)), feed(), List.of(unowned(X.id())), serving(FOR_X, X));

    assertThat(guarded.actions()).isEmpty();
    assertThat(guarded.pending().withheld()).isEmpty();
    assertThat(guarded.retained().kept())
        .containsExactly(
            new Kept(FOR_X.id(), "still needed by ClusterPolicy/x, which stays in force"));
  }

  @Test
  void keepsNoShieldForAPolicyThatTheFeedLeavesWithoutIt() {
    var plan = plan(remove(FOR_X));

    assertThat(guarded(plan, feed(X), List.of(applied(X)), serving(FOR_X, X)).actions())
        .isEqualTo(plan.actions());
  }

  @Test
  void keepsAShieldOfWhichNobodyKnowsWhomItServes() {
    var unknown = Map.<PolicyId, ServedPolicies>of(FOR_X.id(), new ServedPolicies.Unknown("403"));
    var plan = plan(remove(FOR_X), remove(CONTEXT));

    var guarded = ExceptionGuard.guard(plan, feed(), cluster(), Set.of(), unknown, QUIET);

    assertThat(guarded.actions()).isEmpty();
    assertThat(guarded.pending().withheld())
        .containsExactly(
            new Withheld(FOR_X.id(), Guard.SERVES_UNKNOWN, "403"),
            new Withheld(CONTEXT.id(), Guard.SERVES_UNKNOWN, "not checked"));
  }

  @Test
  void keepsAShieldWhereTheSettingsExcludePoliciesThatItMayServe() {
    var excluding =
        with(
            with(cluster(), PolicyKind.CLUSTER_POLICY, new Listing.Excluded()),
            PolicyKind.VALIDATING_POLICY,
            new Listing.Excluded());

    var guarded = goingFrom(excluding);

    assertThat(guarded.actions()).isEmpty();
    assertThat(guarded.pending().withheld())
        .containsExactly(
            new Withheld(
                FOR_X.id(),
                Guard.SERVES_UNKNOWN,
                "ClusterPolicy is in EXCLUDE_KINDS, ValidatingPolicy is in EXCLUDE_KINDS"));
  }

  @Test
  void removesAShieldWhereTheSettingsExcludeWhatItCannotServe() {
    var excluding =
        with(
            with(cluster(), PolicyKind.GLOBAL_CONTEXT_ENTRY, new Listing.Excluded()),
            PolicyKind.VALIDATING_ADMISSION_POLICY,
            new Listing.Excluded());

    assertThat(goingFrom(excluding).actions()).containsExactly(remove(FOR_X));
  }

  private static Plan goingFrom(ActualPolicies actualPolicies) {
    return ExceptionGuard.guard(
        plan(remove(FOR_X)),
        feed(),
        actualPolicies,
        Set.of(),
        Map.ofEntries(serving(FOR_X)),
        QUIET);
  }

  @Test
  void namesThreeOfThePoliciesThatAShieldServesAndCountsTheRest() {
    var three = List.of(clusterPolicy("a"), clusterPolicy("b"), clusterPolicy("c"));
    var five =
        List.of(clusterPolicy("e"), clusterPolicy("d"), three.get(2), three.get(1), three.get(0));

    assertThat(needing(three))
        .isEqualTo(
            "still needed by ClusterPolicy/a, ClusterPolicy/b, ClusterPolicy/c, which stays in"
                + " force");
    assertThat(needing(five))
        .isEqualTo(
            "still needed by ClusterPolicy/a, ClusterPolicy/b, ClusterPolicy/c and 2 more, which"
                + " stays in force");
  }

  @Test
  void asksForPoliciesThatTheRunWritesOrRemovesOrThatStayAsTheyAre() {
    var created = clusterPolicy("created");
    var gone = clusterPolicy("gone");
    var taken = clusterPolicy("taken");
    var inSync = clusterPolicy("in-sync");
    var theirs = unowned(clusterPolicyId("theirs"));
    var plan =
        plan(
            List.of(create(created), create(BINDING), remove(gone), remove(FOR_X)),
            List.of(),
            List.of(new Conflict(taken.id(), "taken")),
            List.of());

    assertThat(
            ExceptionGuard.inQuestion(
                plan,
                feed(created, taken, inSync, BINDING),
                cluster(
                    applied(gone),
                    unowned(taken.id()),
                    applied(inSync),
                    theirs,
                    applied(FOR_X),
                    unowned(BINDING.id())),
                Set.of()))
        .containsExactlyInAnyOrder(created.id(), gone.id(), taken.id(), theirs.id());
  }

  @Test
  void knowsTheShieldsThatItRemoves() {
    var plan =
        plan(
            remove(FOR_X),
            remove(X),
            remove(BINDING),
            remove(CONTEXT),
            create(exception("n", "x")));

    assertThat(ExceptionGuard.shieldRemovals(plan))
        .extracting(Action::id)
        .containsExactly(FOR_X.id(), CONTEXT.id());
  }

  @Test
  void knowsWhichWritesDependOnWhich() {
    var plan =
        plan(
            create(X),
            create(READER),
            create(clusterPolicy("other")),
            create(BINDING),
            create(FOR_X),
            create(CONTEXT));

    var guarded = guarded(plan, feed(X, READER, FOR_X, CONTEXT), List.of());

    assertThat(guarded.dependencies())
        .isEqualTo(
            new DependencyOrder(
                Map.of(X.id(), Set.of(FOR_X.id()), READER.id(), Set.of(CONTEXT.id())), Map.of()));
  }

  @Test
  void knowsWhichWritesRelyOnWhatIsThere() {
    var unchanged = List.of(FOR_X.id(), CONTEXT.id());
    var plan = PlanDraft.of(plan(create(X), create(READER))).unchanged(unchanged).plan();
    var feed = feed(X, READER, FOR_X, CONTEXT);

    var guarded = guarded(plan, feed, List.of(applied(FOR_X), applied(CONTEXT)));

    assertThat(guarded.dependencies().reliedOnBy(X.id()))
        .containsExactly(new Action.Remove.Generation(FOR_X.id(), version(FOR_X.id()).uid(), 1));
    assertThat(guarded.dependencies().reliedOnBy(READER.id()))
        .extracting(Action.Remove.Generation::id)
        .containsExactly(CONTEXT.id());
    assertThat(guarded.dependencies().reliedOnBy(BINDING.id())).isEmpty();
    assertThat(guarded(plan(create(X)), feed(X, FOR_X), List.of()).dependencies())
        .isEqualTo(DependencyOrder.NONE);
  }

  @Test
  void answersForWhatDependsOnNothing() {
    var dependencyOrder = new DependencyOrder(Map.of(X.id(), Set.of(FOR_X.id())), Map.of());

    assertThat(dependencyOrder.neededBy(X.id())).containsExactly(FOR_X.id());
    assertThat(dependencyOrder.neededBy(READER.id())).isEmpty();
  }

  private static String needing(List<Policy> policies) {
    var live = policies.stream().map(policy -> unowned(policy.id())).toList();
    var serves = serving(FOR_X, policies.toArray(Policy[]::new));
    return guarded(plan(remove(FOR_X)), feed(), live, serves).retained().kept().getFirst().reason();
  }

  @SafeVarargs
  private static Plan guarded(
      Plan plan,
      ExpectedPolicies expectedPolicies,
      List<LivePolicy> live,
      Map.Entry<PolicyId, ServedPolicies>... going) {
    var known = new HashMap<PolicyId, ServedPolicies>();
    for (var entry : going) {
      known.put(entry.getKey(), entry.getValue());
    }
    return ExceptionGuard.guard(plan, expectedPolicies, cluster(live), Set.of(), known, QUIET);
  }

  private static Map.Entry<PolicyId, ServedPolicies> serving(Policy shield, Policy... policies) {
    var ids = new HashSet<>(Arrays.stream(policies).map(Policy::id).toList());
    return Map.entry(shield.id(), new ServedPolicies.Serves(ids));
  }

  private static Policy exception(String name, String policy) {
    return policy(
        PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", name),
        "{'exceptions': [{'policyName': '%s', 'ruleNames': ['*']}]}".formatted(policy));
  }

  private static Action create(Policy policy) {
    return new Action.Create(desired(policy));
  }

  private static Action remove(Policy policy) {
    return new Action.Remove(policy.id(), version(policy.id()), Set.of());
  }

  private static Rejected rejected(Policy policy) {
    return new Rejected(
        policy.id().toString(), Optional.of(policy.id().name()), Optional.of(policy.id()), DENIED);
  }

  private static Plan plan(Action... actions) {
    return plan(List.of(actions), List.of(), List.of(), List.of());
  }

  private static Plan plan(
      List<Action> actions,
      List<Rejected> rejected,
      List<Conflict> conflicts,
      List<Withheld> withheld) {
    return new PlanDraft()
        .actions(actions)
        .rejected(rejected)
        .conflicts(conflicts)
        .withhold(withheld)
        .plan();
  }
}
