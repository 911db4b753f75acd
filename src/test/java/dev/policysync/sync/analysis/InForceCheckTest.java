package dev.policysync.sync.analysis;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.unowned;
import static dev.policysync.plan.PlanFixtures.withStatus;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.PlanFixtures;
import dev.policysync.plan.Planner;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyFixtures;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is in sync and not in force: late enough, ours, and not acted upon in this run.
class InForceCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant LONG_AGO = NOW.minusSeconds(600);
  private static final Policy A = clusterPolicy("a");

  private final AtomicInteger asked = new AtomicInteger();
  private Optional<NotReady> answer =
      Optional.of(new NotReady("Kyverno reports: no webhook", Optional.of(LONG_AGO)));
  private Optional<KyvernoVersion> installed = Optional.empty();
  private KyvernoHealth health = new KyvernoHealth.Running("kyverno", Duration.ZERO);

  @Test
  void quotesKyvernoOnAPolicyThatHasBeenUnreadyForLong() {
    assertThat(found(notReady(A, LONG_AGO)))
        .containsExactly(
            new NotInForce(
                A.id(),
                NotInForce.Cause.NOT_READY,
                "Kyverno reports: no webhook (since 2026-11-20T09:50:00Z)"));
  }

  @Test
  void doesNotEvenAskWhereItWasAppliedJustNowOrIsReady() {
    assertThat(found(notReady(A, LONG_AGO.plusSeconds(1)))).isEmpty();
    assertThat(found(withStatus(applied(A), LiveStatus.READY))).isEmpty();
    assertThat(found(applied(A))).isEmpty();
    assertThat(asked).hasValue(0);
  }

  @Test
  void waitsForOneThatTurnedUnreadyJustNow() {
    answer = Optional.of(new NotReady("Kyverno reports: x", Optional.of(LONG_AGO.plusSeconds(1))));

    assertThat(found(notReady(A, LONG_AGO))).isEmpty();
  }

  @Test
  void believesTheObjectMoreThanTheTable() {
    answer = Optional.empty();

    assertThat(found(notReady(A, LONG_AGO))).isEmpty();
  }

  @Test
  void saysWhatItCouldNotRead() {
    var check =
        new InForceCheck(
            new Answers() {
              @Override
              public Optional<NotReady> notReady(PolicyId id) {
                throw new ClusterUnavailable(new Failure(Failure.Cause.FORBIDDEN, "RBAC"));
              }
            },
            SOURCE,
            Clock.fixed(NOW, ZoneOffset.UTC),
            1);

    assertThat(of(check, List.of(A), notReady(A, LONG_AGO)))
        .extracting(NotInForce::reason)
        .containsExactly("it is not ready, and why could not be read: RBAC");
  }

  @Test
  void readsAFewWhereNoneIsReady() {
    var policies = IntStream.range(0, 50).mapToObj(i -> clusterPolicy("p" + i)).toList();
    var live = new ArrayList<LivePolicy>();
    policies.forEach(policy -> live.add(notReady(policy, LONG_AGO)));

    var found = of(check(), policies, live.toArray(LivePolicy[]::new));

    assertThat(found).hasSize(50);
    assertThat(asked).hasValue(InForceCheck.MOST_READ);
  }

  @Test
  void callsWhatKyverno120DoesNotExecuteWithoutEffect() {
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "c"));
    var foreign = unowned(PolicyId.of(PolicyKind.CLUSTER_POLICY, "f"));
    var expected = List.of(A, cel);
    var live = new LivePolicy[] {applied(A), applied(cel), foreign};

    installed = KyvernoVersion.parse("v1.19.1");
    assertThat(of(check(), expected, live)).isEmpty();
    installed = Optional.empty();
    assertThat(of(check(), expected, live)).isEmpty();
    installed = KyvernoVersion.parse("v1.20.0");
    assertThat(of(check(), expected, live)).extracting(NotInForce::id).containsExactly(A.id());
  }

  @Test
  void callsWhatIsWrittenForAReleaseThatDoesNotExecuteItWithoutEffect() {
    installed = KyvernoVersion.parse("v1.20.0");
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "c"));

    assertThat(of(check(), List.of(A, cel))).extracting(NotInForce::id).containsExactly(A.id());
  }

  @Test
  void asksForNoReleaseThatIsKnown() {
    installed = KyvernoVersion.parse("v1.20.0");
    var actual = cluster(applied(A), notReady(clusterPolicy("b"), LONG_AGO));
    var plan = planOf(List.of(A, clusterPolicy("b")), actual);

    assertThat(check().ofKnownRelease(plan, actual))
        .extracting(NotInForce::id, NotInForce::cause)
        .containsExactly(tuple(clusterPolicy("b").id(), NotInForce.Cause.NOT_READY));
  }

  @Test
  void countsAllThatKyvernoWouldExecuteWhereItDoesNotRun() {
    health = new KyvernoHealth.NotRunning("Kyverno is not running: gone");
    var builtIn = policy(PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, "k"));
    var exception = policy(new PolicyId(PolicyKind.KYVERNO_EXCEPTION, Optional.of("n"), "e"));
    var written = clusterPolicy("b");

    var found =
        of(
            check(),
            List.of(A, builtIn, exception, written),
            notReady(A, LONG_AGO),
            applied(builtIn),
            applied(exception));

    assertThat(found)
        .extracting(NotInForce::id, NotInForce::reason)
        .containsExactly(
            tuple(A.id(), "Kyverno is not running: gone"),
            tuple(written.id(), "Kyverno is not running: gone"));
    assertThat(asked).hasValue(0);
  }

  @Test
  void saysNothingOfWhatIsRemoved() {
    installed = KyvernoVersion.parse("v1.21.0");

    var stays = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "c"));

    assertThat(of(check(), List.of(stays), applied(A), applied(stays))).isEmpty();
  }

  private List<NotInForce> found(LivePolicy live) {
    return of(check(), List.of(A), live);
  }

  private InForceCheck check() {
    return new InForceCheck(new Answers(), SOURCE, Clock.fixed(NOW, ZoneOffset.UTC), 4);
  }

  private static List<NotInForce> of(
      InForceCheck check, List<Policy> expected, LivePolicy... live) {
    var actual = cluster(live);
    return check.of(planOf(expected, actual), actual);
  }

  private static Plan planOf(List<Policy> expected, ActualPolicies actual) {
    var feed = PolicyFixtures.feed(expected.toArray(Policy[]::new));
    return new Planner(PlanFixtures.RULES).plan(feed, actual, PlanContext.NONE);
  }

  private static LivePolicy notReady(Policy policy, Instant appliedAt) {
    return withStatus(
        applied(policy),
        new LiveStatus(
            Readiness.NOT_READY, Optional.of(appliedAt), Optional.empty(), Optional.empty()));
  }

  private class Answers implements ExecutionSource {
    @Override
    public Optional<NotReady> notReady(PolicyId id) {
      asked.incrementAndGet();
      return answer;
    }

    @Override
    public Optional<KyvernoVersion> installed() {
      return installed;
    }

    @Override
    public KyvernoHealth health() {
      return health;
    }
  }
}
