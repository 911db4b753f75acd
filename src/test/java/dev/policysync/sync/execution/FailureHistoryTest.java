package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.PlanDraft;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.FailureHistory.Streak;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What counts as one more failure of a policy, and when failures have lasted.
class FailureHistoryTest {
  private static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");
  private static final Instant BEFORE = NOW.minus(Duration.ofHours(1));
  private static final PolicyId A = clusterPolicyId("a");
  private static final PolicyId B = clusterPolicyId("b");
  private static final PolicyId GONE = clusterPolicyId("gone");
  private static final Failure STRANGE = new Failure(Failure.Cause.SERVER_ERROR, "unheard of");
  private static final Failure TERMINATING = new Failure(Failure.Cause.TERMINATING, "terminating");
  private static final Outcome KEPT =
      new Outcome.NotAttempted(
          new Action.Remove(GONE, version(GONE), Set.of()), StopReason.EARLIER_FAILURE);

  @Test
  void beginsWithTheFirstFailureThatMayPass() {
    var history =
        FailureHistory.NONE.after(
            rejecting(B, TERMINATING), List.of(failed(A, STRANGE)), NOW.plusNanos(7));

    assertThat(history.streaks())
        .isEqualTo(new TreeMap<>(Map.of(A, new Streak(NOW, 1), B, new Streak(NOW, 1))));
  }

  @Test
  void notesNothingOfWhatWasRefusedForGood() {
    var history =
        FailureHistory.NONE.after(
            rejecting(B, new Failure(Failure.Cause.KIND_ABSENT, "no CRD")),
            List.of(failed(A, forbidden())),
            NOW);

    assertThat(history).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void countsRunsInARow() {
    var history = of(A, 5).after(nothing(), List.of(failed(A, STRANGE)), NOW);

    assertThat(history).isEqualTo(of(A, 6));
  }

  @Test
  void forgetsAPolicyThatSucceedsOrThatNobodyExpectsAnyMore() {
    assertThat(of(A, 5).after(nothing(), List.of(done(A)), NOW)).isEqualTo(FailureHistory.NONE);
    assertThat(of(A, 5).after(nothing(), List.of(done(B)), NOW)).isEqualTo(FailureHistory.NONE);
    assertThat(of(A, 5).after(nothing(), List.of(), NOW)).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void forgetsAPolicyThatIsRefusedForGood() {
    assertThat(of(A, 5).after(nothing(), List.of(failed(A, forbidden())), NOW))
        .isEqualTo(FailureHistory.NONE);
  }

  @Test
  void forgetsAPolicyThatSomebodyElseSetRightOrTookAway() {
    var settled = new Outcome.Settled(create(A));
    var dropped = new Outcome.Dropped(create(A), "it is not ours");

    assertThat(of(A, 5).after(nothing(), List.of(settled), NOW)).isEqualTo(FailureHistory.NONE);
    assertThat(of(A, 5).after(nothing(), List.of(dropped), NOW)).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void neitherCountsNorForgetsWhatARunDidNotTry() {
    for (var why :
        List.of(
            StopReason.SIGNAL,
            StopReason.DEADLINE,
            StopReason.LEASE_LOST,
            StopReason.SERVER_DOWN)) {
      var untried = new Outcome.NotAttempted(create(A), why);

      assertThat(of(A, 5).after(nothing(), List.of(untried), NOW)).isEqualTo(of(A, 5));
      assertThat(FailureHistory.NONE.after(nothing(), List.of(untried), NOW))
          .isEqualTo(FailureHistory.NONE);
    }
  }

  @Test
  void countsAWriteThatWasSparedAWebhookThatIsDown() {
    var spared = new Outcome.NotAttempted(create(A), StopReason.WEBHOOK_DOWN, "w.example.com");

    assertThat(of(A, 5).after(nothing(), List.of(spared), NOW)).isEqualTo(of(A, 6));
  }

  @Test
  void doesNotCountARemovalThatWaits() {
    assertThat(FailureHistory.NONE.after(nothing(), List.of(KEPT), NOW))
        .isEqualTo(FailureHistory.NONE);
  }

  @Test
  void countsNothingInARunThatHasNothingToDo() {
    assertThat(FailureHistory.NONE.after(rejecting(A, TERMINATING), List.of(), NOW))
        .isEqualTo(FailureHistory.NONE);
    assertThat(of(A, 5).after(rejecting(A, TERMINATING), List.of(), NOW)).isEqualTo(of(A, 5));
    assertThat(of(A, 5).after(rejecting(A, TERMINATING), List.of(KEPT), NOW)).isEqualTo(of(A, 6));
  }

  @Test
  void hasLastedAfterEnoughRunsAndEnoughTime() {
    var half = Duration.ofMinutes(30);
    assertThat(lasting(6, half)).isTrue();
    assertThat(lasting(5, half)).isFalse();
    assertThat(lasting(6, half.minusSeconds(1))).isFalse();
    assertThat(lasting(100, Duration.ofMinutes(-5))).as("a clock that goes wrong").isFalse();
  }

  @Test
  void remembersNoMoreThanFiveHundredAndThoseThatFailedFirst() {
    var history = of(clusterPolicyId("z"), 5);
    var outcomes =
        IntStream.range(0, 600)
            .mapToObj(i -> failed(clusterPolicyId("p-" + i), STRANGE))
            .collect(Collectors.toCollection(ArrayList::new));
    outcomes.add(failed(clusterPolicyId("z"), STRANGE));

    var streaks = history.after(nothing(), List.copyOf(outcomes), NOW).streaks();

    assertThat(streaks).hasSize(500).containsEntry(clusterPolicyId("z"), new Streak(BEFORE, 6));
  }

  @Test
  void saysSinceWhenWhatFailsNow() {
    var streaks = new TreeMap<>(of(A, 6).streaks());
    streaks.putAll(of(B, 6).streaks());
    var history = new FailureHistory(streaks);

    assertThat(history.warnings(nothing(), List.of(failed(A, STRANGE), done(B))))
        .containsExactly(
            "ClusterPolicy/a has failed since 2026-11-22T04:00:00Z, in 7 runs; removals of other"
                + " policies no longer wait for it");
    assertThat(history.warnings(rejecting(B, TERMINATING), List.of(failed(A, STRANGE))))
        .containsExactly(
            "ClusterPolicy/a, ClusterPolicy/b have failed since 2026-11-22T04:00:00Z, in 7 runs;"
                + " removals of other policies no longer wait for it");
  }

  private static boolean lasting(int runs, Duration ago) {
    var streak = new Streak(NOW.minus(ago), runs);
    return new FailureHistory(new TreeMap<>(Map.of(A, streak))).lasting(NOW).contains(A);
  }

  private static FailureHistory of(PolicyId id, int runs) {
    return new FailureHistory(new TreeMap<>(Map.of(id, new Streak(BEFORE, runs))));
  }

  private static Plan nothing() {
    return plan(List.of());
  }

  private static Plan rejecting(PolicyId id, Failure failure) {
    return plan(
        List.of(new Rejected(id.toString(), Optional.of(id.name()), Optional.of(id), failure)));
  }

  private static Plan plan(List<Rejected> rejected) {
    return new PlanDraft().rejected(rejected).plan();
  }

  private static Outcome failed(PolicyId id, Failure failure) {
    return new Outcome.Failed(create(id), failure);
  }

  private static Outcome done(PolicyId id) {
    return new Outcome.Done(create(id), List.of());
  }

  private static Action.Create create(PolicyId id) {
    return new Action.Create(desired(policy(id)));
  }
}
