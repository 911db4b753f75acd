package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.policysync.plan.Action;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.Documents;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Several runs over one cluster: what one leaves for the next (promises 4 and 12).
class SynchronizerRunStateTest {
  private static final Failure DOWN = new Failure(Failure.Cause.UNREACHABLE, "no answer");
  private static final String[] OLD = names("old", 20);
  private static final String[] FRESH = names("fresh", 100);

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final List<PolicyStatus> told = new ArrayList<>();
  private final FakeStatusSink sink = new FakeStatusSink(this::tell);
  private boolean apiListens = true;
  private Adoption adoption = Adoption.NEVER;

  @Test
  void writesNothingToItsMemoryWhereNothingIsToRemember() {
    run("a");
    var updates = memory.updates();

    run("a");

    assertThat(open()).isEqualTo(RunState.NONE);
    assertThat(memory.updates()).isEqualTo(updates);
  }

  @Test
  void notesWhatItBeginsBeforeItWrites() {
    var noted = new ArrayList<PolicyId>();
    store.beforeEachWrite(_ -> noted.addAll(memory.load().state().backlog(SOURCE).begun()));

    run("a");

    assertThat(noted).containsExactly(clusterPolicyId("a"));
    assertThat(open()).isEqualTo(RunState.NONE);
  }

  @Test
  void tellsWhatIsDoneWhileItStillWrites() {
    var written = new ArrayList<Integer>();
    sink.onEach(() -> written.add(store.writes().size()));

    run("a", "b", "c");

    assertThat(told).extracting(PolicyStatus::name).containsExactly("a", "b", "c");
    assertThat(written).containsExactly(1, 2, 3);
  }

  @Test
  void notesWhatItBeginsBeforeItTells() {
    var noted = new ArrayList<PolicyId>();
    sink.onEach(() -> noted.addAll(memory.load().state().backlog(SOURCE).begun()));

    run("a");

    assertThat(noted).containsExactly(clusterPolicyId("a"));
  }

  @Test
  void tellsAgainWhatARunToldThatWasKilledThen() {
    sink.onEach(() -> {
      throw new KilledException();
    });
    assertThatExceptionOfType(KilledException.class).isThrownBy(() -> run("a", "b"));
    sink.onEach(() -> {});

    run("a", "b");

    assertThat(told).extracting(PolicyStatus::name).containsExactlyInAnyOrder("a", "b");
    assertThat(told).allMatch(PolicyStatus::success);
    assertThat(open()).isEqualTo(RunState.NONE);
  }

  @Test
  void tellsNobodyOfAPreview() {
    finished(synchronizer(WriteMode.DRY_RUN, Optional.of(sink), "a").run());

    assertThat(sink.bodies()).isEmpty();
  }

  @Test
  void writesNothingWhereItCannotNoteThatItBegins() {
    memory.fail(Optional.of(DOWN));

    var result = run("a");

    assertThat(result).isEqualTo(new SyncResult.Refused("no answer", true));
    assertThat(store.writes()).isEmpty();
    assertThat(lease.holder()).isEmpty();
  }

  @Test
  void isInSyncAlsoWhereItCannotRecallAnything() {
    run("a");
    memory.fail(Optional.of(DOWN));

    var result = finished(run("a"));

    assertThat(result.plan().unchanged()).containsExactly(clusterPolicyId("a"));
    assertThat(result.remarks())
        .containsExactly("the state of earlier runs could not be read: no answer");
  }

  @Test
  void sendsTheNextTimeWhatTheApiDidNotTake() {
    apiListens = false;
    var silent = finished(run("a", "b"));
    apiListens = true;

    var next = finished(run("a", "b"));
    var further = finished(run("a", "b"));

    assertThat(silent.remarks())
        .containsExactly("the API did not accept 2 statuses; the next run retries");
    assertThat(next.outcomes()).isEmpty();
    assertThat(next.remarks()).isEmpty();
    assertThat(told).extracting(PolicyStatus::name).containsExactly("a", "b");
    assertThat(sink.bodies().values()).hasSize(2).allMatch(body -> body.contains("spec:"));
    assertThat(further.remarks()).isEmpty();
    assertThat(told).hasSize(2);
    assertThat(open()).isEqualTo(RunState.NONE);
  }

  @Test
  void remembersOneStatusForAName() {
    apiListens = false;
    run("a", "b", "c");
    run("b", "c");
    apiListens = true;

    run("b", "c");

    assertThat(told)
        .extracting(status -> status.name() + " " + status.operation())
        .containsExactly("b APPLY", "c APPLY", "a DELETE");
  }

  @Test
  void tellsNobodyOfAFailureThatIsOver() {
    apiListens = false;
    store.refuse(clusterPolicyId("a"), new Failure(Failure.Cause.DENIED, "denied"));
    run("a");
    store.allow(clusterPolicyId("a"));
    run("a");
    apiListens = true;

    run("a");

    assertThat(told).singleElement().matches(PolicyStatus::success);
  }

  @Test
  void tellsWhatAKilledRunHadDone() {
    run("gone", "stays");
    told.clear();
    memory.update(there ->
        there.withBacklog(there.backlog(SOURCE).beginning(List.of(clusterPolicyId("gone")))));
    memory.update(there ->
        there.withBacklog(there.backlog(SOURCE).beginning(List.of(clusterPolicyId("stays")))));
    store.remove(clusterPolicyId("gone"));

    var result = finished(run("stays"));

    assertThat(result.outcomes()).isEmpty();
    assertThat(told)
        .extracting(status -> status.name() + " " + status.operation() + " " + status.success())
        .containsExactlyInAnyOrder("gone DELETE true", "stays APPLY true");
    assertThat(told).extracting(PolicyStatus::operation).contains(Operation.DELETE);
    assertThat(open()).isEqualTo(RunState.NONE);
  }

  @Test
  void leavesWhatTheApiHasToKnowForARunThatSpeaksToIt() {
    apiListens = false;
    run("a");
    apiListens = true;

    var byFiles = synchronizer(WriteMode.LIVE, Optional.empty(), "a", "b").run();
    run("a", "b");

    assertThat(finished(byFiles).remarks()).isEmpty();
    assertThat(told).extracting(PolicyStatus::name).containsExactly("a");
  }

  @Test
  void removesNothingInTwoRunsThatOneMayNot() {
    run(OLD);

    var first = finished(run(FRESH));
    var second = finished(run(FRESH));
    var third = finished(run(FRESH));

    assertThat(first.plan().pending().withheld()).hasSize(20);
    assertThat(first.outcomes()).hasSize(100);
    assertThat(second.plan().pending().withheld()).hasSize(20);
    assertThat(third.plan().pending().withheld()).hasSize(20);
    assertThat(live(OLD)).isEqualTo(20);
  }

  @Test
  void removesNothingSoEvenIfTheFirstRunWasKilled() {
    run(OLD);
    var writes = new int[1];
    store.beforeEachWrite(_ -> {
      if (writes[0]++ == 99) {
        throw new KilledException();
      }
    });

    assertThatExceptionOfType(KilledException.class).isThrownBy(() -> run(FRESH));
    store.beforeEachWrite(_ -> {});
    var next = finished(run(FRESH));

    assertThat(next.plan().pending().withheld()).hasSize(20);
    assertThat(live(OLD)).isEqualTo(20);
  }

  @Test
  void removesWhatIsApprovedOnce() {
    run(OLD);
    var asked = finished(run(FRESH));
    var how = asked.removalApproval().orElseThrow();
    memory.approve(how.list().text());

    var approved = finished(run(FRESH));
    var again = finished(run());

    assertThat(how.command()).isEqualTo("approve " + how.list());
    assertThat(approved.plan().pending().withheld()).isEmpty();
    assertThat(approved.outcomes()).hasSize(20).allMatch(Outcome.Done.class::isInstance);
    assertThat(approved.removalApproval()).isEmpty();
    assertThat(memory.load().approval()).isEmpty();
    assertThat(again.plan().pending().withheld()).as("another list").hasSize(100);
  }

  @Test
  void usesAnApprovalOnlyWhenItRemoves() {
    run(OLD);
    var how = finished(run()).removalApproval().orElseThrow();
    memory.approve(how.list().text());

    var preview = finished(synchronizer(WriteMode.DRY_RUN, Optional.empty()).run());

    assertThat(preview.outcomes()).hasSize(20).allMatch(Outcome.Done.class::isInstance);
    assertThat(memory.load().approval()).isPresent();
    assertThat(live(OLD)).isEqualTo(20);
  }

  @Test
  void takesAVoidApprovalAwayOnceItSaidSoSoThatItCanBeGivenAgain() {
    run(OLD);
    var list = finished(run()).removalApproval().orElseThrow().list();
    memory.approve(list.text());
    time.advance(Approval.VALID);

    var preview = finished(synchronizer(WriteMode.DRY_RUN, Optional.empty()).run());
    var untouched = memory.load().approval();
    var told = Summary.of(run(), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
    var gone = memory.load().approval();
    memory.approve(list.text());
    var approved = finished(run());

    assertThat(preview.plan().pending().withheld()).hasSize(20);
    assertThat(untouched).isPresent();
    assertThat(told.warnings())
        .contains("the approval on the Lease has expired: it was given more than 24 hours ago");
    assertThat(told.pending().withheld()).hasSize(20);
    assertThat(gone).isEmpty();
    assertThat(approved.outcomes()).hasSize(20).allMatch(Outcome.Done.class::isInstance);
  }

  @Test
  void keepsAnApprovalForTheNextRunWhereSomethingFailedBefore() {
    run(OLD);
    store.refuse(clusterPolicyId("fresh"), DOWN);
    memory.approve(finished(run("fresh")).removalApproval().orElseThrow().list().text());

    var blocked = finished(run("fresh"));
    store.allow(clusterPolicyId("fresh"));
    var free = finished(run("fresh"));

    assertThat(blocked.outcomes()).filteredOn(Outcome.NotAttempted.class::isInstance).hasSize(20);
    assertThat(free.outcomes()).hasSize(21).allMatch(Outcome.Done.class::isInstance);
    assertThat(live(OLD)).isZero();
  }

  @Test
  void removesNothingWhereTheApprovalIsWithdrawnAtTheLastMoment() {
    run(OLD);
    memory.approve(finished(run("fresh")).removalApproval().orElseThrow().list().text());
    store.remove(clusterPolicyId("fresh"));
    store.beforeEachWrite(_ -> memory.approve("sha256:another"));

    var result = finished(run("fresh"));

    assertThat(result.outcomes())
        .filteredOn(outcome -> outcome.action() instanceof Action.Remove)
        .hasSize(20)
        .allMatch(outcome ->
            outcome instanceof Outcome.NotAttempted(_, var why, _)
                && why == StopReason.APPROVAL_GONE);
    assertThat(live(OLD)).isEqualTo(20);
  }

  @Test
  void namesWhoChangesAPolicyAgainAfterEveryRepair() {
    run("a");
    var results = new ArrayList<SyncResult.Finished>();
    for (int i = 0; i < 3; i++) {
      store.edit(clusterPolicyId("a"), "spec: {failurePolicy: Ignore}");
      results.add(finished(run("a")));
      time.advance(Duration.ofMinutes(5));
    }

    assertThat(results.get(1).plan().problems().managerConflicts()).isEmpty();
    var last = results.getLast();
    assertThat(last.plan().problems().managerConflicts()).hasSize(1);
    assertThat(Summary.of(last, WriteMode.LIVE, Duration.ZERO, Instant.EPOCH).warnings())
        .containsExactly(
            "ClusterPolicy/a: repaired 3 times in a row, because kubectl-edit keeps modifying"
                + " it; let only one of them manage the policy");
  }

  /// As Kubernetes before 1.35 does at writes of the status.
  @Test
  void repairsWhatTheApiServerLosesWithoutAChangeOnceADay() {
    run("a");
    store.forgetOwners(clusterPolicyId("a"));
    var first = finished(run("a"));
    store.forgetOwners(clusterPolicyId("a"));
    var second = finished(run("a"));
    var updates = memory.updates();
    var third = finished(run("a"));
    assertThat(memory.updates()).isEqualTo(updates);
    time.advance(Duration.ofHours(25));
    store.forgetOwners(clusterPolicyId("a"));
    store.edit(clusterPolicyId("a"), "metadata: {labels: {somebodys: own}}");
    var nextDay = finished(run("a"));

    assertThat(first.outcomes()).hasSize(1);
    assertThat(second.outcomes()).isEmpty();
    assertThat(second.plan().unchanged()).containsExactly(clusterPolicyId("a"));
    assertThat(third.outcomes()).isEmpty();
    assertThat(nextDay.outcomes()).hasSize(1);
  }

  @Test
  void repairsWhatSomebodyRemovesEachTime() {
    run("a");
    var results = new ArrayList<SyncResult.Finished>();
    for (int i = 0; i < 3; i++) {
      store.edit(clusterPolicyId("a"), "spec: {validationFailureAction: null}");
      results.add(finished(run("a")));
      time.advance(Duration.ofMinutes(5));
    }

    assertThat(results).allSatisfy(result -> assertThat(result.outcomes()).hasSize(1));
    assertThat(results.getLast().plan().problems().managerConflicts())
        .singleElement()
        .satisfies(conflict -> assertThat(conflict.by()).isEmpty());
  }

  @Test
  void takesOverWhatItWouldNotChange() {
    adoption = Adoption.IDENTICAL;
    store.create(document("same"));
    store.create(document("other").replace("Audit", "Enforce"));

    var result = finished(run("same", "other"));
    var again = finished(run("same", "other"));

    assertThat(result.outcomes())
        .singleElement()
        .satisfies(outcome -> {
          assertThat(outcome.action().id()).isEqualTo(clusterPolicyId("same"));
          assertThat(outcome.action().cause()).isEqualTo(Action.Cause.ADOPTED);
        });
    assertThat(result.plan().problems().conflicts())
        .extracting(Plan.Conflict::id)
        .containsExactly(clusterPolicyId("other"));
    assertThat(again.outcomes()).isEmpty();
  }

  /// What is noted beside what feed and cluster agree on, and what was written and removed lately.
  private RunState open() {
    var noted = memory.load().state();
    var removals = noted.removals();
    return noted
        .withAgreement(Optional.empty())
        .withKnownGenerations(KnownGenerations.NONE)
        .withFeeds(noted.feeds().older().isEmpty() ? FeedHistory.NONE : noted.feeds())
        .withRemovals(new RemovalHistory(removals.ownedBefore(), removals.withheld(), List.of()));
  }

  private long live(String... names) {
    return Arrays.stream(names)
        .filter(name -> store.find(clusterPolicyId(name)).isPresent())
        .count();
  }

  private List<PolicyStatus> tell(List<PolicyStatus> statuses) {
    if (apiListens) {
      told.addAll(statuses);
    }
    return apiListens ? List.of() : statuses;
  }

  private SyncResult run(String... names) {
    return synchronizer(WriteMode.LIVE, Optional.of(sink), names).run();
  }

  private Synchronizer synchronizer(
      WriteMode writeMode, Optional<StatusSink> sink, String... names) {
    var feed =
        Arrays.stream(names)
            .map(SynchronizerRunStateTest::document)
            .collect(Collectors.joining("---\n"));
    var manifest = new Manifest("feed", feed.getBytes(StandardCharsets.UTF_8));
    var plannerOptions = new PlannerOptions(SOURCE, adoption, RULES.removals());
    return new Synchronizer(
        new SyncPorts(
            () -> List.of(manifest),
            store,
            new FakeSyncLock(lease, "run", time),
            memory,
            sink,
            EventSink.NONE),
        new SyncOptions(
            plannerOptions, writeMode, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
        new Cancellation(Duration.ofMinutes(4), time::nanoTime),
        time.clock(),
        Progress.NONE);
  }

  private static String document(String name) {
    var document =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          name: %s
        spec:
          validationFailureAction: Audit
          rules: [{name: team}]
        """
            .formatted(name);
    assertThat(Documents.policy(document).id().name()).isEqualTo(name);
    return document;
  }

  private static String[] names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toArray(String[]::new);
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
