package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.DependencyOrder;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What becomes of a policy whose exception could not be written, and of an exception whose policy
/// could not (promise 6).
class EarlierOutcomesTest {
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final PolicyId X = clusterPolicyId("x");
  private static final PolicyId OTHER = clusterPolicyId("other");
  private static final PolicyId E = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");

  private static final Action.Create NEW = new Action.Create(desired(policy(X)));
  private static final Action.Update UPDATE =
      new Action.Update(desired(policy(X)), version(X), Action.Cause.CHANGED);
  private static final Action.Create EXCEPTION = new Action.Create(desired(policy(E)));
  private static final Action.Remove WITHOUT = new Action.Remove(E, version(E), Set.of());

  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  @Test
  void blocksNoMoreWithoutTheExceptionThatItNeeds() {
    store.answering(E, new Written.Refused(DENIED));

    assertThat(run(needing(EXCEPTION, NEW)))
        .containsExactly(
            new Outcome.Failed(EXCEPTION, DENIED),
            new Outcome.NotAttempted(NEW, StopReason.UNSHIELDED));
    assertThat(store.writes).containsExactly("apply PolicyException.kyverno.io/shop/e");
  }

  @Test
  void blocksNoMoreWithoutTheExceptionWhoseNameSomebodyTookMeanwhile() {
    store.answering(E, new Written.Stale()).finding(unowned(E));

    assertThat(run(needing(EXCEPTION, NEW)))
        .last()
        .isEqualTo(new Outcome.NotAttempted(NEW, StopReason.UNSHIELDED));
  }

  @Test
  void blocksOnceTheExceptionIsInForceWhoeverWroteIt() {
    assertThat(run(needing(EXCEPTION, NEW))).containsExactly(done(EXCEPTION), done(NEW));

    store.answering(E, new Written.Stale()).finding(applied(policy(E)));

    assertThat(run(needing(EXCEPTION, NEW)))
        .containsExactly(new Outcome.Settled(EXCEPTION), done(NEW));
  }

  /// A list may say that it is in force although it is not there any more.
  @Test
  void blocksNoMoreWithoutTheExceptionThatIsOnlyListed() {
    var listed = Set.of(new Action.Remove.Generation(E, version(E).uid(), 1));
    var plan = plan(new DependencyOrder(Map.of(), Map.of(), Map.of(X, listed)), NEW);

    assertThat(run(plan)).containsExactly(new Outcome.NotAttempted(NEW, StopReason.UNSHIELDED));
    assertThat(store.writes).isEmpty();

    store.finding(applied(policy(E)));

    assertThat(run(plan)).containsExactly(done(NEW));
  }

  @Test
  void blocksAlthoughTheExceptionOfAnotherIsRefused() {
    var other = new Action.Create(desired(policy(OTHER)));
    store.answering(E, new Written.Refused(DENIED));

    assertThat(run(needing(EXCEPTION, NEW, other))).contains(done(other));
  }

  @Test
  void keepsTheExceptionOfAPolicyThatStaysAsItWas() {
    store.answering(X, new Written.Refused(DENIED));

    assertThat(run(serving(UPDATE, WITHOUT)))
        .containsExactly(
            new Outcome.Failed(UPDATE, DENIED),
            new Outcome.NotAttempted(WITHOUT, StopReason.STILL_NEEDED));
  }

  @Test
  void keepsTheExceptionOfAPolicyThatSomebodyDetachedMeanwhile() {
    store.answering(X, new Written.Stale()).finding(unowned(X));

    assertThat(run(serving(UPDATE, WITHOUT)))
        .last()
        .isEqualTo(new Outcome.NotAttempted(WITHOUT, StopReason.STILL_NEEDED));
  }

  @Test
  void removesTheExceptionOfAPolicyThatIsAsItShouldBe() {
    assertThat(run(serving(UPDATE, WITHOUT))).containsExactly(done(UPDATE), done(WITHOUT));

    store.answering(X, new Written.Stale()).finding(applied(policy(X)));

    assertThat(run(serving(UPDATE, WITHOUT)))
        .containsExactly(new Outcome.Settled(UPDATE), done(WITHOUT));
  }

  @Test
  void removesTheExceptionOfAPolicyThatNeverCameToBe() {
    store.answering(X, new Written.Refused(DENIED));

    assertThat(run(serving(NEW, WITHOUT)))
        .containsExactly(new Outcome.Failed(NEW, DENIED), done(WITHOUT));
  }

  @Test
  void removesTheExceptionThatHasNothingToDoWithThePolicyThatStays() {
    var other =
        new Action.Update(desired(clusterPolicy("other")), version(OTHER), Action.Cause.CHANGED);
    store.answering(OTHER, new Written.Refused(DENIED));

    assertThat(run(serving(other, WITHOUT))).last().isEqualTo(done(WITHOUT));
  }

  @Test
  void letsKyvernoLearnOfTheExceptionBeforeThePolicyBlocks() {
    run(needing(EXCEPTION, NEW));

    assertThat(store.writes)
        .containsExactly(
            "apply PolicyException.kyverno.io/shop/e", "pause", "apply ClusterPolicy/x");
  }

  @Test
  void letsKyvernoLearnThatThePolicyIsGoneBeforeItsExceptionGoes() {
    run(serving(new Action.Remove(X, version(X), Set.of()), WITHOUT));

    assertThat(store.writes)
        .containsExactly(
            "remove ClusterPolicy/x at 1",
            "pause",
            "remove PolicyException.kyverno.io/shop/e at 1");
  }

  @Test
  void letsKyvernoLearnOfTheExceptionAlsoWhereAnotherWroteIt() {
    store.answering(E, new Written.Stale()).finding(applied(policy(E)));

    run(needing(EXCEPTION, NEW));

    assertThat(store.writes)
        .containsExactly(
            "apply PolicyException.kyverno.io/shop/e", "pause", "apply ClusterPolicy/x");
  }

  @Test
  void letsKyvernoLearnOfTheSuccessorBeforeThePolicyThatItReplacesGoes() {
    var successor = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");

    run(
        plan(
            DependencyOrder.NONE,
            new Action.Create(desired(policy(successor))),
            new Action.Remove(X, version(X), Set.of(successor))));

    assertThat(store.writes)
        .containsExactly("apply ValidatingPolicy/x", "pause", "remove ClusterPolicy/x at 1");
  }

  @Test
  void waitsForNothingWhereNobodyCouldBeRefusedInBetween() {
    var other = new Action.Create(desired(clusterPolicy("other")));

    run(needing(EXCEPTION, other));
    run(plan(new DependencyOrder(Map.of(OTHER, Set.of(E)), Map.of()), EXCEPTION, other));
    run(serving(WITHOUT));
    run(WriteMode.DRY_RUN, needing(EXCEPTION, NEW));

    assertThat(store.writes).doesNotContain("pause");
  }

  private List<Outcome> run(Plan plan) {
    return run(WriteMode.LIVE, plan);
  }

  private List<Outcome> run(WriteMode writeMode, Plan plan) {
    return new Execution(
            store,
            new PolicyDecider(RULES),
            writeMode,
            1,
            new FakeStrictnessCheck(write -> write.id().equals(X)),
            _ -> true,
            Progress.NONE)
        .run(plan, FailureHistory.NONE, Optional::empty, _ -> {});
  }

  /// A plan in which x needs the exception.
  private static Plan needing(Action... actions) {
    return plan(new DependencyOrder(Map.of(X, Set.of(E)), Map.of()), actions);
  }

  /// A plan in which the exception serves x.
  private static Plan serving(Action... actions) {
    return plan(new DependencyOrder(Map.of(), Map.of(E, Set.of(X))), actions);
  }

  private static Plan plan(DependencyOrder dependencyOrder, Action... actions) {
    return new PlanDraft().actions(List.of(actions)).dependencies(dependencyOrder).plan();
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
