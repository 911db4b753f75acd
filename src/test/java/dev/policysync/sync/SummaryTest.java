package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.FieldChange;
import dev.policysync.plan.Guard;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Rejected;
import dev.policysync.plan.Plan.Unlistable;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.plan.impact.Direction;
import dev.policysync.plan.impact.Impact;
import dev.policysync.plan.impact.ImpactReason;
import dev.policysync.plan.impact.ReportCoverage;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.sync.Summary.Change;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryTest {
  private static final Digest FEED = Digest.of(new byte[] {1});
  private static final Duration TIME = Duration.ofMillis(5_200);
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Failure OVERLOADED = new Failure(Failure.Cause.OVERLOADED, "busy");
  private static final Plan NOTHING = new PlanDraft().plan();

  @Test
  void isDoneWhereNothingWasToDo() {
    var plan = new PlanDraft().unchanged(List.of(id("a"), id("b"))).plan();

    var summary = live(finished(plan));

    assertThat(summary)
        .isEqualTo(
            new Summary(
                RunStatus.DONE,
                TIME,
                false,
                Summary.Writes.NONE,
                Summary.Pending.NOTHING,
                Summary.Untouched.inSync(2),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(FEED),
                Optional.empty()));
    assertThat(summary.changes()).isFalse();
  }

  @Test
  void listsWhatWasDoneByWhatItWas() {
    var create = new Action.Create(desired(clusterPolicy("a")));
    var update =
        new Action.Update(desired(clusterPolicy("b")), version(id("b")), Action.Cause.DRIFTED);
    var remove = remove("c");

    var summary = live(finished(NOTHING, done(create), done(update), done(remove)));

    assertThat(summary.writes().applied())
        .containsExactly(new Change(id("a"), Action.Cause.NEW, PolicyDiff.NONE));
    assertThat(summary.writes().updated())
        .containsExactly(new Change(id("b"), Action.Cause.DRIFTED, PolicyDiff.NONE));
    assertThat(summary.writes().removed())
        .containsExactly(new Change(id("c"), Action.Cause.GONE_FROM_FEED, PolicyDiff.NONE));
    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
    assertThat(summary.changes()).isTrue();
  }

  @Test
  void knowsAnyOneListForAChange() {
    assertThat(live(finished(NOTHING, done(create("a")))).changes()).isTrue();
    assertThat(live(finished(NOTHING, done(remove("a")))).changes()).isTrue();
    assertThat(live(finished(NOTHING, new Outcome.Failed(create("a"), DENIED))).changes())
        .isFalse();
  }

  @Test
  void saysWhatEachWriteChanges() {
    var policyDiff =
        new PolicyDiff(
            List.of(new FieldChange("spec.x", Optional.empty(), Optional.of(value("1")))),
            Optional.of("Audit → Enforce"));
    var result =
        new SyncResult.Finished(
            NOTHING,
            List.of(done(create("a"))),
            FEED,
            Map.of(id("a"), policyDiff),
            Optional.empty(),
            List.of());

    var summary = Summary.of(result, WriteMode.DRY_RUN, TIME, Instant.EPOCH);

    assertThat(summary.dryRun()).isTrue();
    assertThat(summary.writes().applied())
        .containsExactly(new Change(id("a"), Action.Cause.NEW, policyDiff));
  }

  @Test
  void hasFailedWhereOnePolicyFailed() {
    var summary =
        live(finished(NOTHING, done(create("a")), new Outcome.Failed(create("b"), DENIED)));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.writes().failed())
        .containsExactly(
            new Problem(
                Optional.of("ClusterPolicy/b"),
                Optional.of("b"),
                "denied",
                false,
                Optional.of(new Position("feed", 1, 1, 1))));
  }

  @Test
  void hasFailedWhereADocumentWasRejected() {
    var plan =
        new PlanDraft()
            .rejected(
                List.of(
                    new Rejected(
                        "feed, document 2", Optional.empty(), Optional.empty(), OVERLOADED)))
            .plan();

    var summary = live(finished(plan));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.writes().failed())
        .containsExactly(
            new Problem(Optional.of("feed, document 2"), Optional.empty(), "busy", true));
  }

  @Test
  void hasFailedWhereSomethingWasNotAttempted() {
    var summary =
        live(finished(NOTHING, new Outcome.NotAttempted(create("a"), StopReason.WEBHOOK_DOWN)));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.writes().notAttempted())
        .containsExactly(new Note("ClusterPolicy/a", "an admission webhook cannot be reached"));
  }

  @Test
  void isStoppedWhereASignalCameWhateverElseFailed() {
    var summary =
        live(
            finished(
                NOTHING,
                new Outcome.Failed(create("a"), DENIED),
                new Outcome.NotAttempted(create("b"), StopReason.SIGNAL)));

    assertThat(summary.status()).isEqualTo(RunStatus.STOPPED);
    assertThat(summary.writes().failed()).hasSize(1);
  }

  @Test
  void isStoppedWhereTheSignalCameAfterTheLastWrite() {
    var run = (SyncResult.Finished) finished(NOTHING, done(create("a")));

    var summary = live(new SyncResult.Interrupted(run));

    assertThat(summary.status()).isEqualTo(RunStatus.STOPPED);
    assertThat(summary.writes().applied()).hasSize(1);
    assertThat(summary.warnings())
        .singleElement()
        .asString()
        .contains("stopped by a signal after all writes were done");
  }

  @Test
  void saysOfNothingThatItBlocksMoreThatWasNotWritten() {
    var result =
        new SyncResult.Finished(
            NOTHING,
            List.of(done(create("a")), new Outcome.NotAttempted(create("b"), StopReason.DEADLINE)),
            FEED,
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(tightening("a"), tightening("b")),
            List.of(),
            List.of(),
            Optional.empty());

    assertThat(live(result).warnings())
        .singleElement()
        .asString()
        .startsWith("ClusterPolicy/a blocks more requests");
  }

  @ParameterizedTest
  @CsvSource({
    "DEADLINE,the run's TIMEOUT was reached after 2 of 4 changes; the next run continues",
    "LEASE_LOST,the Lease was lost after 2 of 4 changes; the next run continues"
  })
  void saysInOneErrorHowFarARunGotThatHadToEnd(StopReason why, String reason) {
    var summary =
        live(
            finished(
                NOTHING,
                done(create("a")),
                done(create("b")),
                new Outcome.NotAttempted(create("c"), why),
                new Outcome.NotAttempted(create("d"), why)));

    assertThat(summary.writes().failed())
        .containsExactly(new Problem(Optional.empty(), Optional.empty(), reason, true));
    assertThat(summary.writes().notAttempted()).hasSize(2);
  }

  private static WriteImpact tightening(String name) {
    var impactReason =
        ImpactReason.of(
            Direction.TIGHTENS, Optional.empty(), "Audit → Enforce", ReportCoverage.REPORTS);
    return WriteImpact.unknown(
        new Impact(id(name), id(name), List.of(impactReason)), "reports were not read");
  }

  @Test
  void isWithheldWhereAGuardHeldSomethingBack() {
    var plan = new PlanDraft().withhold(List.of(new Withheld(id("a"), Guard.EMPTY_FEED))).plan();

    var summary = live(finished(plan));

    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
    assertThat(summary.pending().withheldNotes())
        .containsExactly(new Note("ClusterPolicy/a", "the feed is empty"));
  }

  @Test
  void hasFailedWhereSomethingFailedAndSomethingWasHeldBack() {
    var plan = new PlanDraft().withhold(List.of(new Withheld(id("a"), Guard.OVER_BUDGET))).plan();

    assertThat(live(finished(plan, new Outcome.Failed(create("b"), DENIED))).status())
        .isEqualTo(RunStatus.FAILED);
  }

  @Test
  void isWithheldWhereANameIsTaken() {
    var plan = new PlanDraft().conflicts(List.of(new Conflict(id("a"), "it is not ours"))).plan();

    var summary = live(finished(plan, new Outcome.Dropped(create("b"), "it is not ours now")));

    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
    assertThat(summary.untouched().conflicts())
        .containsExactly(
            new Note("ClusterPolicy/a", "it is not ours"),
            new Note("ClusterPolicy/b", "it is not ours now"));
  }

  @Test
  void countsWhatSomebodyElseMadeSoAsUnchanged() {
    var plan = new PlanDraft().unchanged(List.of(id("a"))).plan();

    assertThat(live(finished(plan, new Outcome.Settled(create("b")))).untouched().unchanged())
        .isEqualTo(2);
  }

  @Test
  void warnsOfEverythingThatSomeoneShouldLookAtOnce() {
    var plan =
        new PlanDraft()
            .keep(List.of(new Kept(id("k"), "a copy of ClusterPolicy.kyverno.io/x")))
            .plan();
    var result =
        new SyncResult.Finished(
            plan,
            List.of(new Outcome.Done(create("a"), List.of("it is deprecated", "it is deprecated"))),
            FEED,
            Map.of(),
            Optional.empty(),
            List.of("the API did not accept 3 statuses; the next run retries"));

    var summary = live(result);

    assertThat(summary.warnings())
        .containsExactly(
            "ClusterPolicy/a: it is deprecated",
            "ClusterPolicy/k is kept: a copy of ClusterPolicy.kyverno.io/x",
            "the API did not accept 3 statuses; the next run retries");
    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void failsWhereAServedKindCannotBeListed() {
    var plan =
        new PlanDraft()
            .unlistable(List.of(new Unlistable(PolicyKind.DELETING_POLICY, 0, forbidden())))
            .plan();

    var summary = live(finished(plan));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.writes().failed())
        .containsExactly(
            new Problem(
                Optional.of("DeletingPolicy"),
                Optional.empty(),
                "this kind is not synced: RBAC forbids it",
                false));
  }

  @Test
  void saysWhoAskedToLeaveAPolicyAloneAndFailsNothing() {
    var pause = new LiveStatus.Pause(Optional.of("kubectl-annotate"), Optional.of(Instant.EPOCH));
    var plan =
        new PlanDraft()
            .ignored(List.of(new Plan.Ignored(id("a"), pause, Plan.Ignored.Feed.DIFFERS)))
            .plan();

    var summary = live(finished(plan));

    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
    assertThat(summary.untouched().ignored())
        .containsExactly(
            new Note(
                "ClusterPolicy/a",
                "left alone since 1970-01-01T00:00:00Z, by kubectl-annotate"
                    + " (policysync.dev/reconcile: disabled); the feed wants it otherwise"));
  }

  @Test
  void failsWhereAPolicyIsNotInForce() {
    var result =
        new SyncResult.Finished(
            new PlanDraft().unchanged(List.of(id("a"))).plan(),
            List.of(),
            FEED,
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(
                new NotInForce(
                    id("a"), NotInForce.Cause.NOT_READY, "Kyverno has not reported on it")),
            List.of(),
            Optional.empty());

    var summary = live(result);

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.untouched().notInForce())
        .containsExactly(new Note("ClusterPolicy/a", "Kyverno has not reported on it"));
  }

  @Test
  void failsForARemovalOnlyWhereItsFinalizerTakesTooLong() {
    var plan =
        new PlanDraft()
            .terminating(List.of(new Plan.Terminating(id("a"), Optional.of(Instant.EPOCH))))
            .plan();

    var soon = at(Duration.ofMinutes(9), plan);
    var late = at(Duration.ofMinutes(10), plan);

    assertThat(soon.status()).isEqualTo(RunStatus.DONE);
    assertThat(soon.untouched().terminating()).hasSize(1);
    assertThat(late.status()).isEqualTo(RunStatus.FAILED);
    assertThat(late.writes().failed()).extracting(Problem::reason).asString().contains("finalizer");
  }

  private static Summary at(Duration after, Plan plan) {
    return Summary.of(finished(plan), WriteMode.LIVE, TIME, Instant.EPOCH.plus(after));
  }

  @Test
  void failsWhereWhoHasTheLeaseIsNoRunAtWork() {
    var summary =
        live(new SyncResult.Skipped("pod-1", FEED, Optional.of("acquired a day ago; free it")));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.skipped()).contains("pod-1 holds the Lease");
    assertThat(summary.writes().failed())
        .extracting(Problem::reason)
        .containsExactly(
            "nothing was synced, because pod-1 holds the Lease: acquired a day ago; free it");
  }

  @Test
  void warnsOnceOfWhatConcernsManyPolicies() {
    var kept = List.of("x", "y", "z").stream().map(name -> new Kept(id(name), "a reason")).toList();
    var plan = new PlanDraft().keep(kept).plan();
    var outcomes =
        List.of("a", "b", "c").stream()
            .map(name -> new Outcome.Done(create(name), List.of("it is deprecated")))
            .toArray(Outcome[]::new);

    var summary = live(finished(plan, outcomes));

    assertThat(summary.warnings())
        .containsExactly(
            "ClusterPolicy/a, ClusterPolicy/b and 1 more: it is deprecated",
            "ClusterPolicy/x, ClusterPolicy/y and 1 more are kept: a reason");
  }

  @Test
  void saysWhoHasTheLeaseWhereItWasSkipped() {
    var summary = live(new SyncResult.Skipped("pod-1", FEED, Optional.empty()));

    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
    assertThat(summary.skipped()).contains("another run is active: pod-1 holds the Lease");
    assertThat(summary.feed()).contains(FEED);
  }

  @Test
  void saysWhyNothingWasDone() {
    var summary = live(new SyncResult.Refused("the API returned 401", false));

    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
    assertThat(summary.writes().failed())
        .containsExactly(
            new Problem(Optional.empty(), Optional.empty(), "the API returned 401", false));
    assertThat(summary.feed()).isEmpty();
  }

  @Test
  void isStoppedWhereTheSignalCameBeforeAnyWrite() {
    assertThat(live(new SyncResult.Stopped()).status()).isEqualTo(RunStatus.STOPPED);
  }

  private static Summary live(SyncResult result) {
    return Summary.of(result, WriteMode.LIVE, TIME, Instant.EPOCH);
  }

  private static SyncResult finished(Plan plan, Outcome... outcomes) {
    return new SyncResult.Finished(
        plan, List.of(outcomes), FEED, Map.of(), Optional.empty(), List.of());
  }

  private static PolicyId id(String name) {
    return clusterPolicyId(name);
  }

  private static Action create(String name) {
    return new Action.Create(desired(clusterPolicy(name)));
  }

  private static Action remove(String name) {
    return new Action.Remove(id(name), version(id(name)), Set.of());
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }
}
