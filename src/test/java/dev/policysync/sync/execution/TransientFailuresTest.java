package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.FailureHistory.Streak;
import dev.policysync.sync.execution.PolicyStore.Written;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which removals wait for a failure that may pass, while it is new and once it has lasted
/// (promises 5 and 6).
class TransientFailuresTest {
  private static final Failure OVERLOADED = new Failure(Failure.Cause.OVERLOADED, "busy");
  private static final Failure STRANGE = new Failure(Failure.Cause.SERVER_ERROR, "unheard of");
  private static final Failure WEBHOOK_DOWN =
      new Failure(Failure.Cause.WEBHOOK_UNREACHABLE, "no webhook", Optional.of("w.example.com"));
  private static final Failure TERMINATING =
      new Failure(Failure.Cause.TERMINATING, "it is being deleted");

  private static final PolicyId STUCK = clusterPolicyId("stuck");
  private static final PolicyId GONE = clusterPolicyId("gone");

  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  @Test
  void removesTheOthersOnceAFailureHasLasted() {
    store.answering(STUCK, new Written.Refused(STRANGE));

    assertThat(run(lasting(STUCK), create(STUCK), remove(GONE)))
        .containsExactly(new Outcome.Failed(create(STUCK), STRANGE), done(remove(GONE)));
  }

  @Test
  void removesTheOthersOnceAFinalizerHasLasted() {
    assertThat(run(lasting(STUCK), List.of(rejected(STUCK)), remove(GONE)))
        .containsExactly(done(remove(GONE)));
  }

  @Test
  void waitsForAFailureThatIsNewBesideOneThatHasLasted() {
    var another = clusterPolicyId("unlucky");
    store.answering(STUCK, new Written.Refused(STRANGE));
    store.answering(another, new Written.Refused(OVERLOADED));

    assertThat(run(lasting(STUCK), create(STUCK), create(another), remove(GONE)))
        .last()
        .isEqualTo(waits(remove(GONE)));
    assertThat(run(lasting(another), List.of(rejected(STUCK)), remove(GONE)))
        .containsExactly(waits(remove(GONE)));
  }

  @Test
  void keepsExceptionsAndContextsAsLongAsAnythingFails() {
    var exception = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
    var context = PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g");
    store.answering(STUCK, new Written.Refused(STRANGE));

    assertThat(run(lasting(STUCK), create(STUCK), remove(GONE), remove(exception), remove(context)))
        .contains(done(remove(GONE)), waits(remove(exception)), waits(remove(context)));
    assertThat(
            run(
                lasting(STUCK),
                List.of(rejected(STUCK)),
                remove(GONE),
                remove(exception),
                remove(context)))
        .contains(done(remove(GONE)), waits(remove(exception)), waits(remove(context)));
  }

  @Test
  void keepsWhatAPolicyIsToReplaceWhoseFailureHasLasted() {
    var after = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");
    var before = clusterPolicyId("x");
    var move = new Action.Remove(before, version(before), Set.of(after));
    store.answering(after, new Written.Refused(STRANGE));

    assertThat(run(lasting(after), create(after), remove(GONE), move))
        .containsExactly(
            new Outcome.Failed(create(after), STRANGE),
            done(remove(GONE)),
            new Outcome.NotAttempted(move, StopReason.SUCCESSOR_NOT_IN_FORCE));
  }

  @Test
  void keepsPoliciesOfTheKindThatAWebhookKeepsFromBeingApplied() {
    var cleanup = PolicyId.of(PolicyKind.CLUSTER_CLEANUP_POLICY, "c");
    var old = PolicyId.of(PolicyKind.CLUSTER_CLEANUP_POLICY, "old");
    store.answering(cleanup, new Written.Refused(WEBHOOK_DOWN));

    assertThat(run(lasting(cleanup), create(cleanup), remove(GONE), remove(old)))
        .containsExactly(
            new Outcome.Failed(create(cleanup), WEBHOOK_DOWN),
            done(remove(GONE)),
            waits(remove(old)));
  }

  @Test
  void removesOtherKindsAlthoughAWebhookSparedAWriteOfItsOwn() {
    var cleanups =
        List.of("a", "b", "c", "d").stream()
            .map(name -> PolicyId.of(PolicyKind.CLUSTER_CLEANUP_POLICY, name))
            .toArray(PolicyId[]::new);
    Arrays.stream(cleanups).forEach(id -> store.answering(id, new Written.Refused(WEBHOOK_DOWN)));
    var old = PolicyId.of(PolicyKind.CLUSTER_CLEANUP_POLICY, "old");

    var outcomes =
        run(
            lasting(cleanups),
            create(cleanups[0]),
            create(cleanups[1]),
            create(cleanups[2]),
            create(cleanups[3]),
            remove(GONE),
            remove(old));

    assertThat(outcomes.subList(3, 6))
        .containsExactly(
            new Outcome.NotAttempted(create(cleanups[3]), StopReason.WEBHOOK_DOWN, "w.example.com"),
            done(remove(GONE)),
            new Outcome.NotAttempted(remove(old), StopReason.WEBHOOK_DOWN, "w.example.com"));
  }

  /// A webhook that answers again in the middle of a stage lets the removals of the next one begin.
  @Test
  void keepsPoliciesOfTheKindOfWhichAWriteWasSparedAWebhook() {
    var spared = new Outcome.NotAttempted(create(STUCK), StopReason.WEBHOOK_DOWN, "w.example.com");
    var other = PolicyId.of(PolicyKind.CLUSTER_CLEANUP_POLICY, "old");

    assertThat(holdsBack(lasting(STUCK), remove(GONE), spared)).isTrue();
    assertThat(holdsBack(lasting(STUCK), remove(other), spared)).isFalse();
    assertThat(holdsBack(FailureHistory.NONE, remove(other), spared)).isTrue();
  }

  @Test
  void removesTheOthersOfItsKindAlthoughWhatHasLastedWasNotTriedForAnotherReason() {
    var untried = new Outcome.NotAttempted(create(STUCK), StopReason.CHANGED_MEANWHILE);

    assertThat(holdsBack(lasting(STUCK), remove(GONE), untried)).isFalse();
    assertThat(holdsBack(FailureHistory.NONE, remove(GONE), untried)).isTrue();
  }

  /// Removals of bindings come before those of policies.
  @Test
  void takesARemovalThatWaitsForNoFailureOfItsOwn() {
    var kind = PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING;
    var old = PolicyId.of(kind, "old");
    for (var names : List.of(List.of("a"), List.of("a", "b", "c"))) {
      var bindings = names.stream().map(name -> PolicyId.of(kind, name)).toList();
      bindings.forEach(id -> store.answering(id, new Written.Refused(WEBHOOK_DOWN)));
      var actions = new ArrayList<Action>(List.of(remove(old), remove(GONE)));
      bindings.forEach(id -> actions.add(create(id)));

      var outcomes =
          run(lasting(bindings.toArray(PolicyId[]::new)), actions.toArray(Action[]::new));

      assertThat(outcomes).last().isEqualTo(done(remove(GONE)));
      assertThat(outcomes.get(names.size())).isInstanceOf(Outcome.NotAttempted.class);
    }
  }

  @Test
  void removesPoliciesAlthoughTheRemovalOfABindingFailsForEver() {
    var binding = PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b");
    store.answering(binding, new Written.Refused(STRANGE));

    assertThat(run(lasting(binding), remove(binding), remove(GONE)))
        .containsExactly(new Outcome.Failed(remove(binding), STRANGE), done(remove(GONE)));
  }

  private static boolean holdsBack(FailureHistory lasting, Action.Remove removal, Outcome before) {
    return new TransientFailures(List.of(), lasting).holdBack(removal, List.of(before));
  }

  private List<Outcome> run(FailureHistory lasting, Action... actions) {
    return run(lasting, List.of(), actions);
  }

  private List<Outcome> run(FailureHistory lasting, List<Rejected> rejected, Action... actions) {
    var plan = new PlanDraft().actions(List.of(actions)).rejected(rejected).plan();
    return new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.LIVE,
            1,
            new FakeStrictnessCheck(),
            _ -> true,
            Progress.NONE)
        .run(plan, lasting, Optional::empty, _ -> {});
  }

  private static FailureHistory lasting(PolicyId... policies) {
    var streaks = new TreeMap<PolicyId, Streak>();
    for (var id : policies) {
      streaks.put(id, new Streak(Instant.EPOCH, 100));
    }
    return new FailureHistory(streaks);
  }

  private static Rejected rejected(PolicyId id) {
    return new Rejected(id.toString(), Optional.of(id.name()), Optional.of(id), TERMINATING);
  }

  private static Action.Create create(PolicyId id) {
    return new Action.Create(desired(policy(id)));
  }

  private static Action.Remove remove(PolicyId id) {
    return new Action.Remove(id, version(id), Set.of());
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }

  private static Outcome waits(Action action) {
    return new Outcome.NotAttempted(action, StopReason.EARLIER_FAILURE);
  }
}
