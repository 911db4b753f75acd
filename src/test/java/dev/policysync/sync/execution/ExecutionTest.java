package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What becomes of a plan's actions when some of them fail (promises 5, 10 and 14).
class ExecutionTest {
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Failure OVERLOADED = new Failure(Failure.Cause.OVERLOADED, "busy");
  private static final Failure NO_ANSWER = new Failure(Failure.Cause.UNREACHABLE, "no answer");
  private static final Failure WEBHOOK_GONE =
      new Failure(Failure.Cause.WEBHOOK_UNREACHABLE, "no webhook");

  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  @Test
  void doesEverythingInTheOrderOfThePlan() {
    var a = create("a");
    var b = create("b");
    var gone = remove("gone");

    var outcomes = run(plan(gone, b, a));

    assertThat(outcomes).containsExactly(done(a), done(b), done(gone));
    assertThat(store.writes)
        .containsExactly(
            "apply ClusterPolicy/a", "apply ClusterPolicy/b", "remove ClusterPolicy/gone at 1");
  }

  @Test
  void tellsOfEachOutcomeOnceAndBeforeTheNextWrite() {
    store.answering(clusterPolicyId("a"), new Written.Refused(OVERLOADED));
    var ended = new ArrayList<String>();
    var written = new ArrayList<Integer>();

    var outcomes =
        execution(store, 1)
            .run(
                plan(create("a"), create("b"), remove("gone")),
                FailureHistory.NONE,
                Optional::empty,
                outcome -> {
                  ended.add(outcome.action().id().name());
                  written.add(store.writes.size());
                });

    assertThat(outcomes).hasSize(3);
    assertThat(ended).containsExactly("a", "b", "gone");
    assertThat(written).containsExactly(1, 2, 2);
  }

  @Test
  void doesNothingForAPlanWithoutActions() {
    assertThat(run(plan())).isEmpty();
  }

  @Test
  void keepsGoingWhenOnePolicyFails() {
    store.answering(clusterPolicyId("b"), new Written.Refused(DENIED));

    var outcomes = run(plan(create("a"), create("b"), create("c")));

    assertThat(outcomes)
        .containsExactly(
            done(create("a")), new Outcome.Failed(create("b"), DENIED), done(create("c")));
  }

  @Test
  void failsThePolicyWhoseApiServerIsGone() {
    store.during(action -> {
      if (action.id().name().equals("a")) {
        throw new ClusterUnavailable(OVERLOADED);
      }
    });

    assertThat(run(plan(create("a"), create("b"))))
        .containsExactly(new Outcome.Failed(create("a"), OVERLOADED), done(create("b")));
  }

  @Test
  void passesOnWhatTheApiServerWarnsOf() {
    store.answering(clusterPolicyId("a"), new Written.Done(List.of("it is deprecated")));

    assertThat(run(plan(create("a"))))
        .containsExactly(new Outcome.Done(create("a"), List.of("it is deprecated")));
  }

  @Test
  void removesNothingWhileAnApplyMayStillPass() {
    store.answering(clusterPolicyId("a"), new Written.Refused(OVERLOADED));

    var outcomes = run(plan(create("a"), create("b"), remove("gone")));

    assertThat(outcomes)
        .containsExactly(
            new Outcome.Failed(create("a"), OVERLOADED),
            done(create("b")),
            new Outcome.NotAttempted(remove("gone"), StopReason.EARLIER_FAILURE));
    assertThat(store.writes).noneMatch(write -> write.startsWith("remove"));
  }

  @Test
  void removesNothingWhileAPolicyIsRejectedForNow() {
    var terminating = new Failure(Failure.Cause.TERMINATING, "it is being deleted");
    var plan = plan(List.of(remove("gone")), List.of(), rejected("a", terminating));

    assertThat(run(plan))
        .containsExactly(new Outcome.NotAttempted(remove("gone"), StopReason.EARLIER_FAILURE));
    assertThat(store.writes).isEmpty();
  }

  @Test
  void removesTheOthersWhereAPolicyIsRejectedForGood() {
    var absent = new Failure(Failure.Cause.KIND_ABSENT, "no CRD");
    var plan = plan(List.of(remove("gone")), List.of(), rejected("a", absent));

    assertThat(run(plan)).containsExactly(done(remove("gone")));
  }

  @Test
  void removesTheOthersAfterAPermanentRefusalButNotWhatItWasToReplace() {
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(after.id()));
    store.answering(after.id(), new Written.Refused(DENIED));

    var outcomes = run(plan(create(after), move, remove("gone")));

    assertThat(outcomes)
        .containsExactly(
            new Outcome.Failed(create(after), DENIED),
            done(remove("gone")),
            new Outcome.NotAttempted(move, StopReason.SUCCESSOR_NOT_IN_FORCE));
    assertThat(store.writes)
        .containsExactly("apply ValidatingPolicy/x", "remove ClusterPolicy/gone at 1");
  }

  @Test
  void movesAPolicyOnceItsSuccessorIsInForce() {
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(after.id()));

    assertThat(run(plan(create(after), move))).containsExactly(done(create(after)), done(move));
  }

  @Test
  void movesAPolicyWhoseSuccessorWasInForceBefore() {
    var after = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(after));

    assertThat(run(plan(List.of(move), List.of(after)))).containsExactly(done(move));
  }

  @Test
  void movesAPolicyWhoseSuccessorSomebodyBroughtIntoForceMeanwhile() {
    var after = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "x"));
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(after.id()));
    store.answering(after.id(), new Written.Stale()).finding(applied(after));

    assertThat(run(plan(create(after), move)))
        .containsExactly(new Outcome.Settled(create(after)), done(move));
  }

  @Test
  void takesNothingThatItRemovedForASuccessorInForce() {
    var binding = PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "x");
    var first = new Action.Remove(binding, version(binding), Set.of());
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(binding));

    assertThat(run(plan(first, move)))
        .containsExactly(
            done(first), new Outcome.NotAttempted(move, StopReason.SUCCESSOR_NOT_IN_FORCE));
  }

  @Test
  void keepsAPolicyWhoseSuccessorIsNowhere() {
    var after = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");
    var move =
        new Action.Remove(clusterPolicyId("x"), version(clusterPolicyId("x")), Set.of(after));

    assertThat(run(plan(move)))
        .containsExactly(new Outcome.NotAttempted(move, StopReason.SUCCESSOR_NOT_IN_FORCE));
    assertThat(store.writes).isEmpty();
  }

  @Test
  void goesOnRemovingWhereOneRemovalIsRefusedForGood() {
    store.answering(clusterPolicyId("a"), new Written.Refused(forbidden()));

    assertThat(run(plan(remove("a"), remove("b"))))
        .containsExactly(new Outcome.Failed(remove("a"), forbidden()), done(remove("b")));
  }

  @Test
  void keepsTheExceptionOfAPolicyThatCouldNotBeRemovedForNow() {
    store.answering(clusterPolicyId("a"), new Written.Refused(OVERLOADED));

    assertThat(run(plan(remove("a"), removeException())))
        .containsExactly(
            new Outcome.Failed(remove("a"), OVERLOADED),
            new Outcome.NotAttempted(removeException(), StopReason.EARLIER_FAILURE));
  }

  @Test
  void removesAnExceptionWhereAPolicyThatItDoesNotServeMayNotBeRemoved() {
    store.answering(clusterPolicyId("a"), new Written.Refused(forbidden()));

    assertThat(run(plan(remove("a"), remove("b"), removeException())))
        .containsExactly(
            new Outcome.Failed(remove("a"), forbidden()),
            done(remove("b")),
            done(removeException()));
  }

  @Test
  void removesPoliciesWhereABindingMayNotBeRemoved() {
    var binding = PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b");
    var first = new Action.Remove(binding, version(binding), Set.of());
    store.answering(binding, new Written.Refused(forbidden()));

    assertThat(run(plan(first, remove("a"), removeException())))
        .containsExactly(
            new Outcome.Failed(first, forbidden()), done(remove("a")), done(removeException()));
  }

  @Test
  void removesTheExceptionOfAPolicyThatIsNoLongerItsOwn() {
    store
        .answering(clusterPolicyId("a"), new Written.Stale())
        .finding(unowned(clusterPolicyId("a")));

    assertThat(run(plan(remove("a"), removeException()))).last().isEqualTo(done(removeException()));
  }

  @Test
  void stopsAfterThreeFailuresInARowOfAWebhookThatIsGone() {
    for (var name : List.of("a", "b", "c")) {
      store.answering(clusterPolicyId(name), new Written.Refused(WEBHOOK_GONE));
    }

    var outcomes = run(plan(create("a"), create("b"), create("c"), create("d"), remove("gone")));

    assertThat(outcomes)
        .containsExactly(
            new Outcome.Failed(create("a"), WEBHOOK_GONE),
            new Outcome.Failed(create("b"), WEBHOOK_GONE),
            new Outcome.Failed(create("c"), WEBHOOK_GONE),
            new Outcome.NotAttempted(create("d"), StopReason.WEBHOOK_DOWN),
            new Outcome.NotAttempted(remove("gone"), StopReason.WEBHOOK_DOWN));
    assertThat(store.writes).hasSize(3);
  }

  @Test
  void stopsAfterThreeWritesInARowThatTheApiServerDidNotAnswer() {
    store.during(_ -> {
      throw new ClusterUnavailable(NO_ANSWER);
    });

    var outcomes = run(plan(create("a"), create("b"), create("c"), create("d"), remove("gone")));

    assertThat(outcomes)
        .containsExactly(
            new Outcome.Failed(create("a"), NO_ANSWER),
            new Outcome.Failed(create("b"), NO_ANSWER),
            new Outcome.Failed(create("c"), NO_ANSWER),
            new Outcome.NotAttempted(create("d"), StopReason.SERVER_DOWN),
            new Outcome.NotAttempted(remove("gone"), StopReason.SERVER_DOWN));
  }

  @Test
  void goesOnWhereTheApiServerAnswersInBetween() {
    store.during(action -> {
      if (!action.id().name().equals("c")) {
        throw new ClusterUnavailable(NO_ANSWER);
      }
    });
    store.answering(clusterPolicyId("c"), new Written.Refused(DENIED));

    var outcomes = run(plan(create("a"), create("b"), create("c"), create("d"), create("e")));

    assertThat(outcomes)
        .endsWith(
            new Outcome.Failed(create("d"), NO_ANSWER), new Outcome.Failed(create("e"), NO_ANSWER));
  }

  @Test
  void goesOnWhileTheWebhookAnswersInBetween() {
    for (var name : List.of("a", "b", "d", "e")) {
      store.answering(clusterPolicyId(name), new Written.Refused(WEBHOOK_GONE));
    }
    store.answering(clusterPolicyId("f"), new Written.Refused(DENIED));
    store.answering(clusterPolicyId("g"), new Written.Refused(WEBHOOK_GONE));

    run(
        plan(
            create("a"),
            create("b"),
            create("c"),
            create("d"),
            create("e"),
            create("f"),
            create("g"),
            create("h")));

    assertThat(store.writes).hasSize(8).endsWith("apply ClusterPolicy/h");
  }

  @Test
  void stopsBetweenTwoWritesForWhateverReason() {
    for (var reason : List.of(StopReason.LEASE_LOST, StopReason.DEADLINE, StopReason.SIGNAL)) {
      var scripted = new ScriptedPolicyStore();
      Supplier<Optional<StopReason>> afterTwo =
          () -> scripted.writes.size() < 2 ? Optional.empty() : Optional.of(reason);

      var outcomes =
          execution(scripted, 1)
              .run(
                  plan(create("a"), create("b"), create("c"), remove("gone")),
                  FailureHistory.NONE,
                  afterTwo,
                  _ -> {});

      assertThat(outcomes)
          .containsExactly(
              done(create("a")),
              done(create("b")),
              new Outcome.NotAttempted(create("c"), reason),
              new Outcome.NotAttempted(remove("gone"), reason));
      assertThat(scripted.writes).hasSize(2);
    }
  }

  @Test
  void onlyAsksInADryRun() {
    new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.DRY_RUN,
            1,
            new FakeStrictnessCheck(),
            _ -> true,
            Progress.NONE)
        .run(plan(create("a"), remove("gone")), FailureHistory.NONE, Optional::empty, _ -> {});

    assertThat(store.writes)
        .containsExactly("dry-run apply ClusterPolicy/a", "dry-run remove ClusterPolicy/gone at 1");
  }

  @Test
  void tellsOfEachActionThatEnds() {
    var told = new ArrayList<String>();
    var progress =
        new Progress() {
          @Override
          public void step(String what) {}

          @Override
          public void finished(Outcome outcome, int done, int of) {
            told.add(done + "/" + of + " " + outcome.action().id());
          }
        };
    store.answering(clusterPolicyId("a"), new Written.Refused(OVERLOADED));

    new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.LIVE,
            1,
            new FakeStrictnessCheck(),
            _ -> true,
            progress)
        .run(plan(create("a"), remove("gone")), FailureHistory.NONE, Optional::empty, _ -> {});

    assertThat(told).containsExactly("1/2 ClusterPolicy/a", "2/2 ClusterPolicy/gone");
  }

  @Test
  void neverTakesAMistakeOfOursForAFailedPolicy() {
    store.during(_ -> {
      throw new IllegalArgumentException("our mistake");
    });

    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(plan(create("a"))))
        .withMessage("our mistake");
  }

  private List<Outcome> run(Plan plan) {
    return execution(store, 1).run(plan, FailureHistory.NONE, Optional::empty, _ -> {});
  }

  private static Execution execution(PolicyStore store, int concurrency) {
    return new Execution(
        store,
        new PolicyDecider(RULES),
        WriteMode.LIVE,
        concurrency,
        new FakeStrictnessCheck(),
        _ -> true,
        Progress.NONE);
  }

  private static Plan plan(Action... actions) {
    return plan(List.of(actions), List.of());
  }

  private static Plan plan(List<Action> actions, List<PolicyId> unchanged, Rejected... rejected) {
    return new PlanDraft().actions(actions).unchanged(unchanged).rejected(List.of(rejected)).plan();
  }

  private static Rejected rejected(String name, Failure failure) {
    return new Rejected(
        "ClusterPolicy/" + name, Optional.of(name), Optional.of(clusterPolicyId(name)), failure);
  }

  private static Action.Create create(String name) {
    return create(clusterPolicy(name));
  }

  private static Action.Create create(Policy policy) {
    return new Action.Create(desired(policy));
  }

  private static Action.Remove remove(String name) {
    return new Action.Remove(clusterPolicyId(name), version(clusterPolicyId(name)), Set.of());
  }

  private static Action.Remove removeException() {
    var exception = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
    return new Action.Remove(exception, version(exception), Set.of());
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
