package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.EnforcementApproval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What is written of that for which somebody's leave has to be used up first (promise 4).
class ApprovalUseTest {
  private final ScriptedPolicyStore store = new ScriptedPolicyStore();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void usesLeaveToRemoveUpOnceForAllRemovals() {
    var outcomes = run(plan(Set.of(), remove("a"), remove("b")), once(Approval.Of.REMOVALS));

    assertThat(outcomes).containsExactly(done(remove("a")), done(remove("b")));
    assertThat(asked).hasValue(1);
  }

  @Test
  void usesLeaveToBlockUpOnceForAllThatNeedIt() {
    var approved = Set.of(clusterPolicyId("a"), clusterPolicyId("b"));

    var outcomes =
        run(plan(approved, create("a"), create("b"), create("c")), once(Approval.Of.ENFORCEMENT));

    assertThat(outcomes).containsExactly(done(create("a")), done(create("b")), done(create("c")));
    assertThat(asked).hasValue(1);
  }

  @Test
  void removesNothingWhereLeaveIsGone() {
    assertThat(run(plan(Set.of(), create("a"), remove("b"), remove("c")), ApprovalUseTest::noMore))
        .containsExactly(done(create("a")), gone(remove("b")), gone(remove("c")));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/a");
  }

  @Test
  void beginsToBlockNothingWhereLeaveIsGone() {
    assertThat(
            run(
                plan(Set.of(clusterPolicyId("a")), create("a"), create("b")),
                ApprovalUseTest::noMore))
        .containsExactly(gone(create("a")), done(create("b")));
    assertThat(store.writes).containsExactly("apply ClusterPolicy/b");
  }

  @Test
  void usesNoLeaveUpThatNothingNeeds() {
    store.answering(
        clusterPolicyId("a"),
        new PolicyStore.Written.Refused(new Failure(Failure.Cause.OVERLOADED, "busy")));

    run(
        plan(Set.of(), create("a"), remove("b")),
        _ -> {
          asked.incrementAndGet();
          return true;
        });

    assertThat(asked).as("the removal waits").hasValue(0);
  }

  /// A failure to use leave up is one of the first that needs it.
  @Test
  void failsWhatNeedsLeaveThatCannotBeUsedUp() {
    var unreachable = new Failure(Failure.Cause.UNREACHABLE, "no answer");
    Predicate<Approval> broken =
        _ -> {
          throw new ClusterUnavailable(unreachable);
        };

    assertThat(run(plan(Set.of(), remove("a")), broken))
        .containsExactly(new Outcome.Failed(remove("a"), unreachable));
    assertThat(store.writes).isEmpty();
  }

  private static boolean noMore(Approval approval) {
    return false;
  }

  /// Consents once to that, and to nothing else.
  private Predicate<Approval> once(Approval.Of what) {
    return approval -> approval.of() == what && asked.incrementAndGet() == 1;
  }

  private List<Outcome> run(Plan plan, Predicate<Approval> approvals) {
    return new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.LIVE,
            1,
            new FakeStrictnessCheck(),
            approvals,
            Progress.NONE)
        .run(plan, FailureHistory.NONE, Optional::empty, _ -> {});
  }

  /// A plan with an approval of its removals, and one of those policies' enforcement.
  private static Plan plan(Set<PolicyId> approved, Action... actions) {
    return new PlanDraft()
        .actions(List.of(actions))
        .removalApproval(given(Approval.Of.REMOVALS))
        .enforcementApproval(new EnforcementApproval(given(Approval.Of.ENFORCEMENT), approved))
        .plan();
  }

  private static ApprovalState given(Approval.Of what) {
    return new ApprovalState.Given(new Approval(what, "sha256:2c26", Optional.empty()));
  }

  private static Action.Create create(String name) {
    return new Action.Create(desired(clusterPolicy(name)));
  }

  private static Action.Remove remove(String name) {
    return new Action.Remove(clusterPolicyId(name), version(clusterPolicyId(name)), Set.of());
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }

  private static Outcome gone(Action action) {
    return new Outcome.NotAttempted(action, StopReason.APPROVAL_GONE);
  }
}
