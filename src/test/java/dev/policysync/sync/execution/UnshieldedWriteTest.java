package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.DependencyOrder;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What becomes of a policy whose exception is not there, or not known to Kyverno yet (promise 6).
class UnshieldedWriteTest {
  private static final PolicyId X = clusterPolicyId("x");
  private static final PolicyId OTHER = clusterPolicyId("other");
  private static final PolicyId E = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");

  private static final Action.Create NEW = new Action.Create(desired(policy(X)));
  private static final Action.Create EXCEPTION = new Action.Create(desired(policy(E)));

  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  /// A list may say that it is in force although it is not there any more.
  @Test
  void blocksNoMoreWithoutTheExceptionThatIsOnlyListed() {
    var listed = Set.of(new Action.Remove.Generation(E, version(E).uid(), 1));
    var plan = plan(new DependencyOrder(Map.of(), Map.of(X, listed)), NEW);

    assertThat(run(plan)).containsExactly(new Outcome.NotAttempted(NEW, StopReason.UNSHIELDED));
    assertThat(store.writes).isEmpty();

    store.finding(applied(policy(E)));

    assertThat(run(plan)).containsExactly(done(NEW));
  }

  /// It was planned as one that blocks no more.
  @Test
  void blocksNoMoreInTheRunThatAppliesItsException() {
    assertThat(run(plan(needing(X), EXCEPTION, NEW)))
        .containsExactly(done(EXCEPTION), new Outcome.NotAttempted(NEW, StopReason.UNSHIELDED));
  }

  @Test
  void appliesWhatBlocksNoMoreInTheRunThatAppliesItsException() {
    var other = new Action.Create(desired(clusterPolicy("other")));

    assertThat(run(plan(needing(OTHER), EXCEPTION, other)))
        .containsExactly(done(EXCEPTION), done(other));
  }

  private List<Outcome> run(Plan plan) {
    return new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.LIVE,
            1,
            new FakeStrictnessCheck(write -> write.id().equals(X)),
            _ -> true,
            Progress.NONE)
        .run(plan, FailureHistory.NONE, Optional::empty, _ -> {});
  }

  private static DependencyOrder needing(PolicyId policy) {
    return new DependencyOrder(Map.of(policy, Set.of(E)), Map.of());
  }

  private static Plan plan(DependencyOrder dependencyOrder, Action... actions) {
    return new PlanDraft().actions(List.of(actions)).dependencies(dependencyOrder).plan();
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
