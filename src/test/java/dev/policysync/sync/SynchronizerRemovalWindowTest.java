package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The removal budget over a day of runs, each of which would pass it (promise 4).
class SynchronizerRemovalWindowTest {
  private static final Duration BETWEEN_RUNS = Duration.ofMinutes(5);

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();

  @Test
  void removesNoMoreInManyRunsThanInOne() {
    run(policies(20));
    for (int left = 18; left >= 2; left -= 2) {
      run(policies(left));
    }

    assertThat(live()).isEqualTo(16);
  }

  @Test
  void letsNoSlicesPassAfterTheyWereWithheldTogether() {
    run(policies(20));
    var together = finished(run(policies(15)));
    var four = finished(run(policies(16)));
    var three = finished(run(policies(17)));

    assertThat(together.plan().pending().withheld()).hasSize(5);
    assertThat(four.plan().pending().withheld()).hasSize(4);
    assertThat(three.plan().pending().withheld())
        .hasSize(3)
        .extracting(Plan.Withheld::reason)
        .containsOnly(
            "more removals than MAX_REMOVALS allows: 5 requested together in the last 24 hours;"
                + " MAX_REMOVALS=20% allows 4 of 20");
    assertThat(live()).isEqualTo(20);
  }

  @Test
  void forgetsWhatWasWithheldOnceTheFeedIsWholeAgain() {
    run(policies(20));
    run(policies(15));
    run(policies(20));

    run(policies(16));

    assertThat(live()).isEqualTo(16);
  }

  @Test
  void forgetsRemovalsAfterADayAndTheirSlot() {
    run(policies(20));
    run(policies(16));
    time.advance(Duration.ofHours(23));
    var tooSoon = finished(run(policies(13)));
    run(policies(16));
    time.advance(Duration.ofMinutes(90));

    var later = finished(run(policies(13)));

    assertThat(tooSoon.plan().pending().withheld())
        .extracting(Plan.Withheld::reason)
        .containsOnly(
            "more removals than MAX_REMOVALS allows: 3 requested and 4 removed in the last 24"
                + " hours; MAX_REMOVALS=20% allows 4 of 20");
    assertThat(later.plan().pending().withheld()).isEmpty();
    assertThat(live()).isEqualTo(13);
  }

  @Test
  void doesNotCountWhatAPersonApproved() {
    run(policies(20));
    memory.approve(finished(run(policies(10))).removalApproval().orElseThrow().list().text());
    run(policies(10));

    var next = finished(run(policies(8)));

    assertThat(next.plan().pending().withheld()).isEmpty();
    assertThat(live()).isEqualTo(8);
  }

  @Test
  void endsAnApprovalOnceTheFeedIsWholeAgain() {
    run(policies(20));
    memory.approve(finished(run(policies(15))).removalApproval().orElseThrow().list().text());

    var whole = Summary.of(run(policies(20)), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
    var again = finished(run(policies(15) + policy("other")));

    assertThat(whole.warnings())
        .containsExactly(
            "the approval on the Lease has ended: the changes it was given for are not requested");
    assertThat(memory.load().approval()).isEmpty();
    assertThat(again.plan().pending().withheld()).hasSize(5);
    assertThat(live()).isEqualTo(20);
  }

  @Test
  void endsAnApprovalAlsoWhereNothingHasChangedSinceFeedAndClusterAgreed() {
    run(policies(20));
    memory.approve("sha256:" + "0".repeat(64));

    var unchanged = Summary.of(run(policies(20)), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);

    assertThat(unchanged.warnings()).hasSize(1);
    assertThat(memory.load().approval()).isEmpty();
  }

  @Test
  void endsAnApprovalOnceAnotherFeedAsksForAnotherList() {
    run(policies(20));
    memory.approve(finished(run(policies(15))).removalApproval().orElseThrow().list().text());

    var another = finished(run(policies(14)));
    var again = finished(run(policies(15)));

    assertThat(another.plan().pending().withheld()).hasSize(6);
    assertThat(again.plan().pending().withheld()).hasSize(5);
    assertThat(live()).isEqualTo(20);
  }

  @Test
  void keepsAnApprovalWhileNobodyKnowsWhatIsAskedFor() {
    run(policies(20));
    memory.approve(finished(run(policies(15))).removalApproval().orElseThrow().list().text());

    run(policies(15) + "---\nkind: ClusterPolicy\n");
    run(policies(15));

    assertThat(live()).isEqualTo(15);
  }

  @Test
  void asksForNoSecondApprovalOfWhatFailed() {
    run(policies(20));
    memory.approve(finished(run(policies(10))).removalApproval().orElseThrow().list().text());
    store.refuse(clusterPolicyId("p10"), new Failure(Failure.Cause.DENIED, "denied"));
    run(policies(10));
    store.allow(clusterPolicyId("p10"));

    var next = finished(run(policies(10)));

    assertThat(next.plan().pending().withheld()).isEmpty();
    assertThat(live()).isEqualTo(10);
  }

  @Test
  void countsOfWhatAKilledRunHadBegunOnlyWhatItDid() {
    run(policies(20));
    store.beforeEachWrite(action -> {
      if (action.id().equals(clusterPolicyId("p18"))) {
        throw new KilledException();
      }
    });
    assertThatExceptionOfType(KilledException.class).isThrownBy(() -> run(policies(16)));
    store.beforeEachWrite(_ -> {});
    var done = 20 - live();

    var next = finished(run(policies(16)));
    var tooMany = finished(run(policies(15)));

    assertThat(done).isEqualTo(3);
    assertThat(next.plan().pending().withheld()).isEmpty();
    assertThat(live()).isEqualTo(16);
    assertThat(tooMany.plan().pending().withheld())
        .extracting(Plan.Withheld::reason)
        .containsExactly(
            "more removals than MAX_REMOVALS allows: 1 requested and 4 removed in the last 24"
                + " hours; MAX_REMOVALS=20% allows 4 of 20");
  }

  @Test
  void doesNotCountARemovalThatFailed() {
    run(policies(20));
    store.refuse(clusterPolicyId("p19"), new Failure(Failure.Cause.DENIED, "denied"));
    for (int i = 0; i < 10; i++) {
      run(policies(19));
    }
    store.allow(clusterPolicyId("p19"));

    run(policies(16));

    assertThat(live()).isEqualTo(16);
  }

  @Test
  void countsARemovalOfWhichNobodyKnows() {
    run(policies(20));
    store.refuse(clusterPolicyId("p19"), new Failure(Failure.Cause.UNREACHABLE, "no answer"));
    run(policies(19));
    store.allow(clusterPolicyId("p19"));

    var next = finished(run(policies(16)));

    assertThat(next.plan().pending().withheld()).hasSize(4);
  }

  @Test
  void countsRemovalsThatWaitForAFinalizer() {
    run(policies(10));
    holdEach(10);

    for (int left = 8; left >= 2; left -= 2) {
      run(policies(left));
    }
    var last = finished(run(policies(2)));

    assertThat(terminating()).isEqualTo(2);
    assertThat(last.plan().pending().withheld())
        .hasSize(6)
        .extracting(Plan.Withheld::reason)
        .contains(
            "more removals than MAX_REMOVALS allows: 6 requested and 2 removed in the last 24"
                + " hours; MAX_REMOVALS=20% allows 2 of 10");
  }

  @Test
  void countsWhatAKilledRunBeganAndAFinalizerDelays() {
    run(policies(10));
    holdEach(10);
    store.beforeEachWrite(action -> {
      if (action.id().equals(clusterPolicyId("p9"))) {
        throw new KilledException();
      }
    });
    assertThatExceptionOfType(KilledException.class).isThrownBy(() -> run(policies(8)));
    store.beforeEachWrite(_ -> {});

    var tooMany = finished(run(policies(7)));

    assertThat(terminating()).isEqualTo(1);
    assertThat(tooMany.plan().pending().withheld()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.Cause.class,
      names = {"UNREACHABLE", "SERVER_ERROR", "OVERLOADED", "UNAUTHORIZED", "CONFLICT"})
  void countsARemovalThatWasDoneAndAnsweredWithAnError(Failure.Cause cause) {
    run(policies(10));
    names("p", 10)
        .forEach(name -> store.answerRemoval(clusterPolicyId(name), new Failure(cause, "no")));

    for (int left = 8; left >= 2; left -= 2) {
      run(policies(left));
    }

    assertThat(live()).isEqualTo(8);
  }

  @Test
  void doesNotCountARemovalThatWasAnsweredWithAnErrorAndIsStillInTheCluster() {
    run(policies(20));
    store.refuse(clusterPolicyId("p19"), new Failure(Failure.Cause.OVERLOADED, "too many"));
    for (int i = 0; i < 10; i++) {
      run(policies(19));
    }
    store.allow(clusterPolicyId("p19"));

    run(policies(16));

    assertThat(live()).isEqualTo(16);
  }

  @Test
  void keepsARemovalOpenWhileAKindCannotBeListed() {
    var other = celPolicy("other");
    run(policies(20) + other);
    store.refuse(clusterPolicyId("p19"), new Failure(Failure.Cause.SERVER_ERROR, "leader changed"));
    run(policies(19) + other);
    store.allow(clusterPolicyId("p19"));
    var listed = store.list().of(PolicyKind.CLUSTER_POLICY);
    store.list(PolicyKind.CLUSTER_POLICY, unlistable());
    store.remove(PolicyId.of(PolicyKind.VALIDATING_POLICY, "other"));
    run(policies(19) + other);
    store.list(PolicyKind.CLUSTER_POLICY, listed);

    var removals = memory.load().state().removals();

    assertThat(removals.begun()).hasSize(1);
    assertThat(removals.removed()).extracting(RemovalHistory.Removed::count).containsExactly(1);
  }

  @Test
  void removesNothingForADayWhereWhatEarlierRunsRecordedCannotBeRead() {
    run(policies(20));
    memory.update(noted -> noted.withRemovals(noted.removals().withUnreadable(List.of("removed"))));

    var found = finished(run(policies(18)));
    var next = finished(run(policies(18)));
    time.advance(Duration.ofHours(23));
    var tooSoon = finished(run(policies(18)));
    time.advance(Duration.ofHours(1));
    run(policies(18));

    assertThat(found.remarks())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith(
            "\"removed\" of the state that earlier runs recorded on the Lease cannot be read and is"
                + " dropped; removals wait until ");
    assertThat(List.of(found, next, tooSoon))
        .allSatisfy(result ->
            assertThat(result.plan().pending().withheld())
                .hasSize(2)
                .extracting(Plan.Withheld::reason)
                .allMatch(reason ->
                    reason.startsWith(
                        "the recorded state of earlier runs could not be read: removals"
                            + " wait until ")));
    assertThat(next.remarks()).as("recorded once").isEmpty();
    assertThat(live()).isEqualTo(18);
  }

  @Test
  void removesWhatAPersonApprovedWhereWhatEarlierRunsRecordedCannotBeRead() {
    run(policies(20));
    memory.update(
        noted -> noted.withRemovals(noted.removals().withUnreadable(List.of("failures"))));
    memory.approve(finished(run(policies(18))).removalApproval().orElseThrow().list().text());

    run(policies(18));
    var next = finished(run(policies(17)));

    assertThat(live()).isEqualTo(18);
    assertThat(next.plan().pending().withheld()).hasSize(1);
  }

  @Test
  void recordsOnceThatWhatEarlierRunsRecordedCannotBeReadAlsoWhereNothingElseIsToDo() {
    run(policies(20));
    memory.update(
        noted -> noted.withRemovals(noted.removals().withUnreadable(List.of("failures"))));
    var updates = memory.updates();

    var found = finished(run(policies(20)));
    var next = finished(run(policies(20)));

    assertThat(found.remarks()).hasSize(1);
    assertThat(next.remarks()).isEmpty();
    assertThat(memory.updates()).isEqualTo(updates + 1);
  }

  @Test
  void recordsNothingMoreOnceSomeOfWhatIsPendingIsRemoved() {
    run(policies(20));
    run(policies(15));
    time.advance(Duration.ofHours(25));
    store.create(celPolicy("p19").substring("---\n".length()));
    var feed = policies(18) + celPolicy("p19");
    var removing = finished(run(feed));
    var updates = memory.updates();

    var next = finished(run(feed));

    assertThat(removing.outcomes()).hasSize(1).allMatch(Outcome.Done.class::isInstance);
    assertThat(next.plan().pending().withheld()).hasSize(1);
    assertThat(memory.updates()).isEqualTo(updates);
    assertThat(memory.load().state().removals().ownedBefore()).contains(19);
  }

  @Test
  void countsNothingThatWasAddedWhileAKindCouldNotBeListed() {
    run(names("old", 10).map(SynchronizerRemovalWindowTest::celPolicy).collect(joining()));
    var listed = store.list().of(PolicyKind.VALIDATING_POLICY);
    store.list(PolicyKind.VALIDATING_POLICY, unlistable());
    run(wrong());
    store.list(PolicyKind.VALIDATING_POLICY, listed);

    var seeing = finished(run(wrong()));

    assertThat(seeing.plan().pending().withheld()).hasSize(10);
    assertThat(seeing.outcomes()).isEmpty();
  }

  @Test
  void countsNothingThatWasAddedWhileTheFeedCouldNotBeReadToTheEnd() {
    run(policies(20));
    run(policies(20) + wrong() + "---\nkind: ClusterPolicy\n");

    var complete = finished(run(wrong()));

    assertThat(complete.plan().pending().withheld()).hasSize(20);
  }

  @Test
  void countsNothingThatWasAddedSincePeopleRemovedSomeOfWhatWasPending() {
    run(policies(20));
    run(policies(15));
    names("p", 20).skip(10).forEach(name -> store.remove(clusterPolicyId(name)));

    run(policies(10) + wrong() + "---\nkind: ClusterPolicy\n");

    assertThat(memory.load().state().removals().ownedBefore()).contains(10);
  }

  @Test
  void letsNoFeedMakeRoomForWhatItRemovesLater() {
    run(policies(20));
    run(policies(16) + wrong());

    var next = finished(run(policies(15) + wrong()));

    assertThat(next.plan().pending().withheld()).hasSize(1);
  }

  @Test
  void writesNothingAnewForAnHourWhileRemovalsAreWithheld() {
    run(policies(20));
    run(policies(10));
    var updates = memory.updates();
    for (int i = 0; i < 11; i++) {
      run(policies(10));
    }

    assertThat(memory.updates()).isEqualTo(updates);
  }

  @Test
  void keepsItsMemorySmallHoweverLongItRuns() {
    run(policies(20));
    for (int run = 0; run < 20; run++) {
      run(policies(19));
      run(policies(20));
      time.advance(Duration.ofHours(6));
    }

    assertThat(memory.load().state().removals().removed()).hasSizeBetween(3, 5);
  }

  @Test
  void writesAllTheSameWhereARunWithoutTheLeaseNotesSomethingBeforeItBegins() {
    run(policies(20));
    memory.beforeUpdate(() -> atOnce(policies(15)));

    var result = finished(run(policies(21)));

    assertThat(result.outcomes()).singleElement().isInstanceOf(Outcome.Done.class);
    assertThat(store.find(clusterPolicyId("p20"))).isPresent();
  }

  @Test
  void removesNothingThatARunWithoutTheLeaseForbidsBeforeItBegins() {
    run(policies(20));
    memory.beforeUpdate(() -> atOnce(policies(15)));

    var result = finished(run(policies(18)));

    assertThat(result.plan().pending().withheld())
        .hasSize(2)
        .extracting(Plan.Withheld::reason)
        .containsOnly(
            "more removals than MAX_REMOVALS allows: 5 requested together in the last 24 hours;"
                + " MAX_REMOVALS=20% allows 4 of 20");
    assertThat(live()).isEqualTo(20);
  }

  @Test
  void leavesItToTheNextRunWhereOthersNoteSomethingEachTimeItLooks() {
    run(policies(20));
    noteBeforeEachUpdate(15);

    var result = run(policies(21));

    assertThat(result)
        .isInstanceOfSatisfying(
            SyncResult.Refused.class, refused -> assertThat(refused.retryable()).isTrue());
    assertThat(store.find(clusterPolicyId("p20"))).isEmpty();
    assertThat(lease.holder()).isEmpty();
  }

  private void noteBeforeEachUpdate(int left) {
    memory.beforeUpdate(() -> {
      atOnce(policies(left));
      noteBeforeEachUpdate(left - 1);
    });
  }

  private SyncResult run(String feed) {
    time.advance(BETWEEN_RUNS);
    return atOnce(feed);
  }

  private SyncResult atOnce(String feed) {
    return new Synchronizer(
            new SyncPorts(
                () -> List.of(new Manifest("feed", feed.getBytes(StandardCharsets.UTF_8))),
                store,
                new FakeSyncLock(lease, "run", time),
                memory,
                Optional.empty(),
                EventSink.NONE),
            new SyncOptions(
                RULES, WriteMode.LIVE, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), time::nanoTime),
            time.clock(),
            Progress.NONE)
        .run();
  }

  /// Lets every removal wait for somebody.
  private void holdEach(int count) {
    names("p", count)
        .forEach(name ->
            store.edit(clusterPolicyId(name), "metadata: {finalizers: [example.com/hold]}"));
  }

  private long terminating() {
    return names("p", 20)
        .flatMap(name -> store.find(clusterPolicyId(name)).stream())
        .filter(LivePolicy::terminating)
        .count();
  }

  private long live() {
    return names("p", 20).filter(name -> store.find(clusterPolicyId(name)).isPresent()).count();
  }

  private static String policies(int count) {
    return names("p", count).map(SynchronizerRemovalWindowTest::policy).collect(joining());
  }

  /// A hundred policies that nobody meant.
  private static String wrong() {
    return names("new", 100).map(SynchronizerRemovalWindowTest::policy).collect(joining());
  }

  private static Stream<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i);
  }

  private static String policy(String name) {
    return """
    ---
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata:
      name: %s
    spec:
      validationFailureAction: Audit
      rules: [{name: team}]
    """
        .formatted(name);
  }

  private static String celPolicy(String name) {
    return """
    ---
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    metadata:
      name: %s
    spec:
      validationActions: [Audit]
    """
        .formatted(name);
  }

  private static SyncResult.Finished finished(SyncResult result) {
    assertThat(result).isInstanceOf(SyncResult.Finished.class);
    return (SyncResult.Finished) result;
  }

  /// Stands for the end of the process.
  private static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
