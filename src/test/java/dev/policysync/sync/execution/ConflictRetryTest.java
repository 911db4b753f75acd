package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.annotated;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.at;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.terminating;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.plan.PlanFixtures.without;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What happens when the object that was judged is another one by the time it is written.
class ConflictRetryTest {
  private static final PolicyId ID = clusterPolicyId("team");
  private static final Policy TEAM = clusterPolicy("team");
  private static final LivePolicy OLD = applied(clusterPolicy("team", "{'rules': []}"));
  private static final ObjectVersion LATER = new ObjectVersion("uid of " + ID.key(), "7");

  private static final Action.Update UPDATE =
      new Action.Update(desired(TEAM), version(ID), Action.Cause.CHANGED);
  private static final Action.Create CREATE = new Action.Create(desired(TEAM));
  private static final Action.Remove REMOVE = new Action.Remove(ID, version(ID), Set.of());

  private static final Failure LOST =
      new Failure(Failure.Cause.UNREACHABLE, "the connection was interrupted");

  private final ScriptedPolicyStore store =
      new ScriptedPolicyStore()
          .answering(ID, new Written.Stale(), new Written.Done(List.of("noted")));

  @Test
  void writesAgainWithTheNewVersion() {
    store.finding(at(OLD, LATER));

    var outcome = run(UPDATE);

    assertThat(outcome)
        .isEqualTo(
            new Outcome.Done(
                new Action.Update(desired(TEAM), LATER, Action.Cause.CHANGED), List.of("noted")));
    assertThat(store.writes)
        .containsExactly("apply ClusterPolicy/team at 1", "apply ClusterPolicy/team at 7");
  }

  @Test
  void leavesToTheNextRunWhatBlocksMoreThanItWasJudgedBy() {
    store.finding(at(OLD, LATER));
    var strictness =
        new FakeStrictnessCheck(write -> write.seen().filter(LATER::equals).isPresent());

    var outcome =
        execution(store, strictness)
            .run(planOf(UPDATE), FailureHistory.NONE, Optional::empty, _ -> {})
            .getFirst();

    assertThat(outcome).isEqualTo(new Outcome.NotAttempted(UPDATE, StopReason.CHANGED_MEANWHILE));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/team at 1");
  }

  /// What loosens needs no shield, but what it is judged to be after somebody's change may.
  @Test
  void doesNotBlockMoreOnceItIsJudgedAnewWithoutItsShield() {
    var exception = applied(policy(PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e")));
    var listed = generation(exception, exception.objectVersion().uid(), 1);
    var tightensLater =
        new StrictnessCheck() {
          @Override
          public boolean mayTighten(Action.Write write) {
            return write.seen().filter(LATER::equals).isPresent();
          }

          @Override
          public boolean guardedAnew(Action.Write judged, Action.Write again) {
            return false;
          }
        };
    var retry =
        new ConflictRetry(
            store, new PolicyDecider(RULES), WriteMode.LIVE, tightensLater, _ -> Optional.empty());
    store.finding(at(OLD, LATER));

    assertThat(retry.apply(UPDATE, false, Set.of(listed)))
        .isEqualTo(
            new Outcome.NotAttempted(
                new Action.Update(desired(TEAM), LATER, Action.Cause.CHANGED),
                StopReason.UNSHIELDED));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/team at 1");

    store.answering(ID, new Written.Stale()).finding(exception);
    assertThat(retry.apply(UPDATE, false, Set.of(listed))).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void removesNoExceptionThatMayServeOthersByNow() {
    var id = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
    var exception = applied(policy(id));
    var removal = new Action.Remove(id, version(id), Set.of());
    store
        .answering(id, new Written.Stale())
        .finding(at(exception, new ObjectVersion("uid of " + id.key(), "7")));

    assertThat(run(removal))
        .isEqualTo(new Outcome.NotAttempted(removal, StopReason.CHANGED_MEANWHILE));
    assertThat(store.writes).hasSize(1);
  }

  @Test
  void createsWhatWasDeletedMeanwhile() {
    assertThat(run(UPDATE)).isEqualTo(new Outcome.Done(CREATE, List.of("noted")));
    assertThat(store.writes)
        .containsExactly("apply ClusterPolicy/team at 1", "apply ClusterPolicy/team");
  }

  @Test
  void leavesWhatSomebodyElseCreatedMeanwhile() {
    store.finding(unowned(ID));

    assertThat(run(CREATE))
        .isEqualTo(
            new Outcome.Dropped(
                CREATE,
                "an object of this name exists and is not managed by policy-sync; set"
                    + " ADOPT=always to take it over, or"
                    + " ADOPT=identical if only the policy-sync annotations would change"));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/team");
  }

  @Test
  void leavesWhatWasDetachedMeanwhile() {
    store.finding(without(at(OLD, LATER), OwnershipAnnotations.OWNED_BY));

    assertThat(run(UPDATE)).isInstanceOf(Outcome.Dropped.class);
    assertThat(store.writes).hasSize(1);
  }

  @Test
  void isContentWhereSomebodyMadeItSoMeanwhile() {
    store.finding(at(applied(TEAM), LATER));

    assertThat(run(UPDATE)).isEqualTo(new Outcome.Settled(UPDATE));
    assertThat(store.writes).hasSize(1);
  }

  @Test
  void failsWhereItIsBeingDeletedMeanwhile() {
    store.finding(terminating(at(OLD, LATER)));

    assertThat(run(UPDATE))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().cause()).isEqualTo(Failure.Cause.TERMINATING));
  }

  @Test
  void givesUpOnWhatChangesAgainAndAgain() {
    var stale = new Written.Stale();
    store.answering(ID, stale, stale, stale, stale, stale).finding(at(OLD, LATER));

    assertThat(run(UPDATE))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().cause()).isEqualTo(Failure.Cause.CONFLICT));
    assertThat(store.writes).hasSize(4);
  }

  @Test
  void writesNothingAgainOnceItIsTimeToStop() {
    store.finding(at(OLD, LATER));
    Supplier<Optional<StopReason>> afterOne =
        () -> store.writes.isEmpty() ? Optional.empty() : Optional.of(StopReason.LEASE_LOST);

    for (var action : List.of(UPDATE, REMOVE)) {
      store.writes.clear();
      store.answering(ID, new Written.Stale());

      assertThat(run(action, afterOne))
          .isInstanceOfSatisfying(
              Outcome.NotAttempted.class,
              outcome -> assertThat(outcome.why()).isEqualTo(StopReason.LEASE_LOST));
      assertThat(store.writes).hasSize(1);
    }
  }

  @Test
  void failsWhereItCannotBeReadAgain() {
    var unreachable = new Failure(Failure.Cause.UNREACHABLE, "no answer");
    var blind =
        new PolicyStore() {
          @Override
          public ActualPolicies list() {
            throw new ClusterUnavailable(unreachable);
          }

          @Override
          public Optional<LivePolicy> find(PolicyId id) {
            throw new ClusterUnavailable(unreachable);
          }

          @Override
          public Optional<Value.Mapping> read(PolicyId id) {
            throw new ClusterUnavailable(unreachable);
          }

          @Override
          public Written apply(Action.Write write, WriteMode writeMode) {
            return new Written.Stale();
          }

          @Override
          public Written remove(Action.Remove removal, WriteMode writeMode) {
            return new Written.Stale();
          }

          @Override
          public Preview preview(Action.Write write) {
            throw new ClusterUnavailable(unreachable);
          }
        };

    assertThat(run(blind, UPDATE, Optional::empty))
        .isEqualTo(new Outcome.Failed(UPDATE, unreachable));
    assertThat(run(blind, REMOVE, Optional::empty))
        .isEqualTo(new Outcome.Failed(REMOVE, unreachable));
  }

  @Test
  void doesNotLookWhetherAWriteWasDoneThatTheServerAnswered() {
    var overloaded = new Failure(Failure.Cause.OVERLOADED, "busy");
    store
        .finding(at(applied(TEAM), LATER))
        .during(_ -> {
          throw new ClusterUnavailable(overloaded);
        });

    assertThat(run(UPDATE)).isEqualTo(new Outcome.Failed(UPDATE, overloaded));
    assertThat(store.writes).hasSize(1);
  }

  @Test
  void saysWhichAnswerWasLostWhereItCannotBeReadAgain() {
    losing(1).hiding(ID, new Failure(Failure.Cause.FORBIDDEN, "RBAC forbids it"));

    assertThat(run(UPDATE)).isEqualTo(new Outcome.Failed(UPDATE, LOST));
  }

  @Test
  void looksWhetherAWriteWhoseAnswerIsLostWasDone() {
    losing(1).finding(at(applied(TEAM), LATER));

    assertThat(run(UPDATE)).isEqualTo(new Outcome.Done(UPDATE, List.of()));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/team at 1");
  }

  @Test
  void writesAnewWhatWasNotDone() {
    losing(1).finding(at(OLD, LATER));

    assertThat(run(UPDATE)).isInstanceOf(Outcome.Done.class);
    assertThat(store.writes)
        .containsExactly("apply ClusterPolicy/team at 1", "apply ClusterPolicy/team at 7");
  }

  @Test
  void leavesASecondLostAnswerToTheNextRun() {
    losing(2).finding(at(OLD, LATER));

    assertThat(run(UPDATE)).isInstanceOf(Outcome.Failed.class);
    assertThat(run(REMOVE)).isInstanceOf(Outcome.Done.class);
    assertThat(store.writes).hasSize(3);
  }

  @Test
  void countsAsRemovedWhatIsGoneAfterALostAnswer() {
    losing(1);

    assertThat(run(REMOVE)).isEqualTo(new Outcome.Done(REMOVE, List.of()));
    assertThat(store.writes).containsExactly("remove ClusterPolicy/team at 1");
  }

  @Test
  void removesAnewWhatIsStillThereAfterALostAnswer() {
    losing(1).finding(at(OLD, LATER));

    assertThat(run(REMOVE)).isInstanceOf(Outcome.Done.class);
    assertThat(store.writes)
        .containsExactly("remove ClusterPolicy/team at 1", "remove ClusterPolicy/team at 7");
  }

  @Test
  void doesNotLookAfterALostAnswerOnceItIsTimeToStop() {
    losing(1).finding(at(applied(TEAM), LATER));
    Supplier<Optional<StopReason>> afterOne =
        () -> store.writes.isEmpty() ? Optional.empty() : Optional.of(StopReason.LEASE_LOST);

    assertThat(run(UPDATE, afterOne)).isEqualTo(new Outcome.Failed(UPDATE, LOST));
  }

  @Test
  void didNotAttemptWhatCouldNotBeSentAnyMore() {
    var unsent =
        new Failure(Failure.Cause.NOT_SENT, "the Lease was lost; the request was not sent");
    store.during(_ -> {
      throw new ClusterUnavailable(unsent);
    });
    Supplier<Optional<StopReason>> once =
        () -> store.writes.isEmpty() ? Optional.empty() : Optional.of(StopReason.LEASE_LOST);

    assertThat(run(REMOVE, once))
        .isEqualTo(new Outcome.NotAttempted(REMOVE, StopReason.LEASE_LOST));
  }

  @Test
  void doesNotForgetALostAnswerWhereTheSecondWriteIsNotSent() {
    var unsent =
        new Failure(Failure.Cause.NOT_SENT, "the Lease was lost; the request was not sent");
    var failures = new ArrayDeque<>(List.of(LOST, unsent));
    store
        .finding(at(OLD, LATER))
        .during(_ -> {
          throw new ClusterUnavailable(failures.remove());
        });
    Supplier<Optional<StopReason>> afterTwo =
        () -> store.writes.size() < 2 ? Optional.empty() : Optional.of(StopReason.LEASE_LOST);

    assertThat(run(UPDATE, afterTwo)).isEqualTo(new Outcome.Failed(UPDATE, LOST));
  }

  @Test
  void removesAgainWithTheNewVersion() {
    store.finding(at(OLD, LATER));

    assertThat(run(REMOVE))
        .isEqualTo(new Outcome.Done(new Action.Remove(ID, LATER, Set.of()), List.of("noted")));
    assertThat(store.writes)
        .containsExactly("remove ClusterPolicy/team at 1", "remove ClusterPolicy/team at 7");
  }

  @Test
  void removesNothingThatWasCreatedAnew() {
    store.finding(at(OLD, new ObjectVersion("another uid", "8")));

    assertThat(run(REMOVE))
        .isEqualTo(new Outcome.Dropped(REMOVE, "it was deleted and recreated in the meantime"));
    assertThat(store.writes).containsExactly("remove ClusterPolicy/team at 1");
  }

  @Test
  void takesNoChangeForProofThatARemovalWhoseAnswerIsLostWasNotDone() {
    for (var live :
        List.of(
            at(OLD, new ObjectVersion("another uid", "8")),
            unowned(ID),
            annotated(OLD, OwnershipAnnotations.PRUNE, "disabled"))) {
      losing(1).finding(live);

      assertThat(run(REMOVE)).as(live.toString()).isEqualTo(new Outcome.Failed(REMOVE, LOST));
    }
  }

  @Test
  void saysThatARemovalWaitsForAFinalizerAlsoWhereTheFirstAnswerWasLost() {
    var terminating = new Failure(Failure.Cause.TERMINATING, "waits for its finalizers");
    losing(1).answering(ID, new Written.Refused(terminating)).finding(at(OLD, LATER));

    assertThat(run(REMOVE))
        .isEqualTo(new Outcome.Failed(new Action.Remove(ID, LATER, Set.of()), terminating));
  }

  @Test
  void keepsWaitingForTheSuccessorsOfWhatItRemovesAgain() {
    var successor = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team"));
    var move = new Action.Remove(ID, version(ID), Set.of(successor.id()));
    store.finding(at(OLD, LATER));
    var plan = new PlanDraft().actions(List.of(move)).unchanged(List.of(successor.id())).plan();

    assertThat(
            execution(store, new FakeStrictnessCheck())
                .run(plan, FailureHistory.NONE, Optional::empty, _ -> {}))
        .containsExactly(
            new Outcome.Done(
                new Action.Remove(ID, LATER, Set.of(successor.id())), List.of("noted")));
  }

  /// A list may be old.
  @Test
  void removesNothingWhoseSuccessorIsNotWhatWasListed() {
    var successor = applied(policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "team")));
    var uid = successor.objectVersion().uid();
    store.finding(successor);

    for (var listed : List.of(generation(successor, "another", 1), generation(successor, uid, 2))) {
      var move = replacing(listed);
      assertThat(run(move))
          .isEqualTo(new Outcome.NotAttempted(move, StopReason.SUCCESSOR_NOT_IN_FORCE));
    }
    assertThat(store.writes).isEmpty();

    var move = replacing(generation(successor, uid, 1));
    assertThat(run(move)).isEqualTo(new Outcome.Done(move, List.of()));
  }

  private static Action.Remove.Generation generation(LivePolicy live, String uid, long number) {
    return new Action.Remove.Generation(live.id(), uid, number);
  }

  private static Action.Remove replacing(Action.Remove.Generation listed) {
    return new Action.Remove(ID, version(ID), Set.of(), Action.Cause.REPLACED, Set.of(listed));
  }

  @Test
  void countsWhatIsGoneAsRemoved() {
    assertThat(run(REMOVE)).isEqualTo(new Outcome.Done(REMOVE, List.of()));
    assertThat(store.writes).hasSize(1);
  }

  @Test
  void removesNothingThatIsNoLongerItsOwn() {
    for (var live :
        List.of(
            unowned(ID),
            annotated(OLD, OwnershipAnnotations.PRUNE, "disabled"),
            annotated(OLD, OwnershipAnnotations.SOURCE, "acme/staging"))) {
      store.writes.clear();
      store.answering(ID, new Written.Stale()).finding(live);

      assertThat(run(REMOVE))
          .as(live.toString())
          .isEqualTo(
              new Outcome.Dropped(REMOVE, "it changed in the meantime and must not be removed"));
      assertThat(store.writes).as(live.toString()).hasSize(1);
    }
  }

  @Test
  void givesUpRemovingWhatChangesAgainAndAgain() {
    var stale = new Written.Stale();
    store.answering(ID, stale, stale, stale, stale, stale).finding(at(OLD, LATER));

    assertThat(run(REMOVE))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure().cause()).isEqualTo(Failure.Cause.CONFLICT));
    assertThat(store.writes).hasSize(4);
  }

  private Outcome run(Action action) {
    return run(store, action, Optional::empty);
  }

  /// The store, that many of whose answers are lost.
  private ScriptedPolicyStore losing(int answers) {
    var left = new AtomicInteger(answers);
    store.answering(ID);
    return store.during(_ -> {
      if (left.getAndDecrement() > 0) {
        throw new ClusterUnavailable(LOST);
      }
    });
  }

  private Outcome run(Action action, Supplier<Optional<StopReason>> stop) {
    return run(store, action, stop);
  }

  private static Outcome run(
      PolicyStore store, Action action, Supplier<Optional<StopReason>> stop) {
    return execution(store, new FakeStrictnessCheck())
        .run(planOf(action), FailureHistory.NONE, stop, _ -> {})
        .getFirst();
  }

  private static Plan planOf(Action action) {
    return new PlanDraft().actions(List.of(action)).plan();
  }

  private static Execution execution(PolicyStore store, StrictnessCheck strictnessCheck) {
    return new Execution(
        store,
        new PolicyDecider(RULES),
        WriteMode.LIVE,
        1,
        strictnessCheck,
        _ -> true,
        Progress.NONE);
  }
}
