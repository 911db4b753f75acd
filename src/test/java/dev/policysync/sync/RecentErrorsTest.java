package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.RecentErrors.RecentError;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentErrorsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");
  private static final Instant BEFORE = NOW.minus(Duration.ofHours(1));
  private static final PolicyId A = clusterPolicyId("a");
  private static final PolicyId B = clusterPolicyId("b");

  @Test
  void recordsWhyAWriteFailed() {
    var errors =
        RecentErrors.NONE.after(
            List.of(
                failed(A, "denied"),
                new Outcome.NotAttempted(create(B), StopReason.WEBHOOK_DOWN, "w.example.com")),
            NOW.plusMillis(7));

    assertThat(errors.byPolicy())
        .containsExactly(
            Map.entry(A, new RecentError(NOW, "denied")),
            Map.entry(B, new RecentError(NOW, StopReason.WEBHOOK_DOWN + ": w.example.com")));
  }

  @Test
  void keepsSinceWhenAPolicyFailsAndTheLatestReason() {
    var errors = of(A, "denied").after(List.of(failed(A, "forbidden")), NOW);

    assertThat(errors).isEqualTo(of(A, "forbidden"));
  }

  @Test
  void keepsTheErrorOfAPolicyThatTheRunDidNotGetTo() {
    var untried = new Outcome.NotAttempted(create(A), StopReason.DEADLINE);

    assertThat(of(A, "denied").after(List.of(untried), NOW)).isEqualTo(of(A, "denied"));
  }

  @Test
  void forgetsAPolicyThatWasWrittenOrNeedsNoWrite() {
    var done = new Outcome.Done(create(A), List.of());

    assertThat(of(A, "denied").after(List.of(done), NOW)).isEqualTo(RecentErrors.NONE);
    assertThat(of(A, "denied").after(List.of(), NOW)).isEqualTo(RecentErrors.NONE);
  }

  @Test
  void recordsNoMoreThanFitsOnALease() {
    var many =
        IntStream.range(0, 600).mapToObj(i -> failed(clusterPolicyId("p-" + i), "denied")).toList();
    var reasons =
        IntStream.range(0, 30)
            .mapToObj(i -> failed(clusterPolicyId("p-" + i), i + "x".repeat(1_000)))
            .toList();

    assertThat(RecentErrors.NONE.after(many, NOW).byPolicy()).hasSize(500);
    assertThat(RecentErrors.NONE.after(reasons, NOW).byPolicy().values())
        .hasSize(20)
        .allMatch(error -> error.template().length() == 401 && error.template().endsWith("…"));
  }

  /// A missing permission or a dead webhook is the same reason for each policy, with its own name.
  @Test
  void recordsAReasonOnceForAllPoliciesThatFailForIt() {
    var refused =
        IntStream.range(0, 300)
            .mapToObj(i -> clusterPolicyId("p-" + i))
            .map(id -> failed(id, forbidden(id)))
            .toList();

    var errors = RecentErrors.NONE.after(refused, NOW).byPolicy();

    assertThat(errors).hasSize(300);
    assertThat(errors.values().stream().map(RecentError::template).distinct()).hasSize(1);
    assertThat(errors)
        .allSatisfy((id, error) -> assertThat(error.reason(id)).isEqualTo(forbidden(id)));
  }

  @Test
  void cutsNoCharacterInTwo() {
    var errors = RecentErrors.NONE.after(List.of(failed(A, "x".repeat(399) + "🙂🙂")), NOW);

    assertThat(errors.byPolicy().values())
        .extracting(RecentError::template)
        .containsExactly("x".repeat(399) + "…");
  }

  private static String forbidden(PolicyId id) {
    return "apply " + id + ": HTTP 403, clusterpolicies \"" + id.name() + "\" is forbidden";
  }

  private static RecentErrors of(PolicyId id, String reason) {
    return new RecentErrors(new TreeMap<>(Map.of(id, new RecentError(BEFORE, reason))));
  }

  private static Outcome failed(PolicyId id, String reason) {
    return new Outcome.Failed(create(id), new Failure(Failure.Cause.DENIED, reason));
  }

  private static Action create(PolicyId id) {
    return new Action.Create(desired(policy(id)));
  }
}
