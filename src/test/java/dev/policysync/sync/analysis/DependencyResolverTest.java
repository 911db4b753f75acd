package dev.policysync.sync.analysis;

import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.Propagation;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.FakeStrictnessCheck;
import dev.policysync.sync.execution.ScriptedPolicyStore;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What is read of the cluster to find out whom a shield serves that is to go, and what becomes of
/// it where that cannot be found out (promise 6).
class DependencyResolverTest {
  private static final PolicyId X = clusterPolicyId("x");
  private static final PolicyId Y = clusterPolicyId("y");
  private static final PolicyId E = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId E_CEL = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e");
  private static final PolicyId G = PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g");
  private static final Propagation PROPAGATION = new Propagation(Instant.EPOCH, Optional.empty());
  private static final PolicyId H = PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "h");

  private static final Value.Mapping SHIELDS_X =
      json("{'spec': {'exceptions': [{'policyName': 'x', 'ruleNames': ['*']}]}}");
  private static final Value.Mapping NAMED_G = json("{'metadata': {'name': 'g'}}");
  private static final Value.Mapping READS_G =
      json("{'spec': {'context': [{'name': 'c', 'globalReference': {'name': 'g'}}]}}");

  private final List<PolicyId> read = Collections.synchronizedList(new ArrayList<>());
  private final Cancellation stop = new Cancellation(Duration.ofMinutes(4), () -> 0);
  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  @Test
  void readsNothingWhereNoShieldIsToGo() {
    saying(Map.of());
    var plan = plan(remove(X), new Action.Create(desired(policy(E))));

    assertThat(guard(plan, cluster(unowned(Y))).actions()).isEqualTo(plan.actions());
    assertThat(read).isEmpty();
  }

  @Test
  void readsOnlyTheExceptionThatIsToGo() {
    saying(Map.of(E, SHIELDS_X));

    assertThat(guard(plan(remove(E)), cluster(unowned(Y))).actions()).containsExactly(remove(E));
    assertThat(read).containsExactly(E);
  }

  @Test
  void readsThePoliciesThatStayOnceForAllContextEntriesThatAreToGo() {
    saying(Map.of(G, NAMED_G, H, json("{'metadata': {'name': 'h'}}"), X, READS_G, Y, json("{}")));

    var guarded = guard(plan(remove(G), remove(H)), cluster(unowned(X), unowned(Y)));

    assertThat(guarded.actions()).containsExactly(remove(H));
    assertThat(guarded.retained().kept()).extracting(Plan.Kept::id).containsExactly(G);
    assertThat(read).containsExactlyInAnyOrder(G, H, X, Y);
  }

  @Test
  void knowsWhichOfThePlansPoliciesAShieldServes() {
    saying(Map.of(E, SHIELDS_X));
    var plan = plan(remove(X), remove(Y), remove(E));

    assertThat(guard(plan, cluster()).pending().waiting())
        .containsExactly(new Waiting(remove(E), List.of(X)));
  }

  @Test
  void leavesOnlyWhatBlocksMoreToALaterRunThanItsException() {
    var exception = create(E, "{'exceptions': [{'policyName': '*', 'ruleNames': ['*']}]}");
    var plan = plan(exception, create(X), create(Y));

    assertThat(resolver().postpone(plan, feed(), cluster(), PROPAGATION))
        .satisfies(postponed -> {
          assertThat(postponed.actions()).containsExactly(exception, create(Y));
          assertThat(postponed.pending().waiting())
              .containsExactly(new Waiting(create(X), List.of(E)));
        });
  }

  @Test
  void removesAShieldThatIsGoneByNow() {
    saying(Map.of());

    assertThat(guard(plan(remove(E)), cluster(unowned(X))).actions()).containsExactly(remove(E));
  }

  @Test
  void keepsAContextEntryWhilePoliciesAreNotWhatWasListed() {
    var was = "it changed since it was listed";
    saying(Map.of(G, NAMED_G));
    var gone = guard(plan(remove(G)), cluster(unowned(X)));
    store.saying(id ->
        Optional.of(id.equals(G) ? asListed(G, NAMED_G) : json("{'metadata': {'generation': 2}}")));
    var changed = guard(plan(remove(G)), cluster(unowned(X)));

    assertThat(gone.pending().withheld()).containsExactly(withheld(G, was));
    assertThat(changed.pending().withheld()).containsExactly(withheld(G, was));
  }

  @Test
  void keepsWhatItHasNoTimeToLookAt() {
    saying(Map.of(E, SHIELDS_X));
    stop.raise(StopReason.SIGNAL);

    assertThat(guard(plan(remove(E)), cluster()).pending().withheld())
        .containsExactly(withheld(E, "the run was stopped by a signal"));
    assertThat(read).isEmpty();
  }

  @Test
  void keepsAShieldOrWhatMayReadItThatCannotBeRead() {
    store.saying(id -> {
      if (id.equals(G)) {
        return Optional.of(NAMED_G);
      }
      throw new ClusterUnavailable(forbidden());
    });

    assertThat(guard(plan(remove(E)), cluster()).pending().withheld())
        .containsExactly(withheld(E, "RBAC forbids it"));
    assertThat(guard(plan(remove(G)), cluster(unowned(X))).pending().withheld())
        .containsExactly(withheld(G, "RBAC forbids it"));
  }

  @Test
  void keepsAnExceptionOfAKindThatIsNotKnown() {
    saying(Map.of(E_CEL, json("{'spec': {'policyRefs': [{'kind': 'NewPolicy', 'name': 'n'}]}}")));

    assertThat(guard(plan(remove(E_CEL)), cluster()).pending().withheld())
        .containsExactly(withheld(E_CEL, "it refers to an unknown kind"));
  }

  @Test
  void withholdsOfWhatLacksItsShieldOnlyWhatBlocksMore() {
    var exception = policy(E, "{'exceptions': [{'policyName': '*', 'ruleNames': ['*']}]}");
    var plan =
        new PlanDraft()
            .actions(List.of(create(X), create(Y)))
            .conflicts(List.of(new Conflict(E, "its name is taken")))
            .plan();

    var guarded = guard(plan, feed(exception), cluster(unowned(E)));

    assertThat(guarded.actions()).containsExactly(create(Y));
    assertThat(guarded.pending().withheld())
        .containsExactly(new Withheld(X, Guard.UNSHIELDED, E + ": its name is taken"));
  }

  /// Promise 14.
  @Test
  void endsAtOnceWhenItIsInterrupted() {
    var never = new CountDownLatch(1);
    store.saying(_ -> {
      try {
        throw new IllegalStateException(
            "not interrupted: " + never.await(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    Thread.currentThread().interrupt();

    assertThatIllegalStateException()
        .isThrownBy(() -> guard(plan(remove(E)), cluster()))
        .withMessage("interrupted while reading policies");

    assertThat(Thread.interrupted()).as("the sign is passed on").isTrue();
  }

  @Test
  void neverTakesAMistakeOfOursForAShieldThatCannotBeRead() {
    store.saying(_ -> {
      throw new IllegalArgumentException("our mistake");
    });

    assertThatIllegalArgumentException()
        .isThrownBy(() -> guard(plan(remove(E)), cluster()))
        .withMessage("our mistake");
  }

  private void saying(Map<PolicyId, Value.Mapping> objects) {
    store.saying(id -> {
      read.add(id);
      return Optional.ofNullable(objects.get(id)).map(object -> asListed(id, object));
    });
  }

  /// Of the generation in which `PlanFixtures.unowned` lists it.
  private static Value.Mapping asListed(PolicyId id, Value.Mapping object) {
    var metadata =
        object
            .mapping("metadata")
            .with("uid", version(id).uid())
            .with("generation", new Value.Numeric("1"));
    return object.with("metadata", metadata);
  }

  private Plan guard(Plan plan, ActualPolicies actualPolicies) {
    return guard(plan, feed(), actualPolicies);
  }

  private Plan guard(Plan plan, ExpectedPolicies expectedPolicies, ActualPolicies actualPolicies) {
    return resolver().guard(plan, expectedPolicies, actualPolicies, Set.of(), PROPAGATION);
  }

  private DependencyResolver resolver() {
    var strictness = new FakeStrictnessCheck(write -> write.id().equals(X));
    return new DependencyResolver(store, strictness, stop, 2);
  }

  private static Plan plan(Action... actions) {
    return new PlanDraft().actions(List.of(actions)).plan();
  }

  private static Withheld withheld(PolicyId id, String why) {
    return new Withheld(id, Guard.SERVES_UNKNOWN, why);
  }

  private static Action.Create create(PolicyId id, String spec) {
    return new Action.Create(desired(policy(id, spec)));
  }

  private static Action.Create create(PolicyId id) {
    return new Action.Create(desired(policy(id)));
  }

  private static Action.Remove remove(PolicyId id) {
    return new Action.Remove(id, version(id), Set.of());
  }
}
