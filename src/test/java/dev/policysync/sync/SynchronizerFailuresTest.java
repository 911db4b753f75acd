package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.terminating;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyFixtures;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Several runs over one cluster in which something fails for ever: removals wait for it at first,
/// and then for what concerns them alone (promises 5 and 7).
class SynchronizerFailuresTest {
  private static final Failure STRANGE = new Failure(Failure.Cause.SERVER_ERROR, "unheard of");
  private static final PolicyId GOES = clusterPolicyId("goes");
  private static final PolicyId STUCK = PolicyId.of(PolicyKind.VALIDATING_POLICY, "stuck");

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();

  @Test
  void removesAfterSixRunsThatFailedForHalfAnHour() {
    run("goes", "stays");
    store.refuse(clusterPolicyId("bad"), STRANGE);

    for (int i = 1; i <= 6; i++) {
      var waiting = run("stays", "bad");

      assertThat(waiting.writes().removed()).as("run " + i).isEmpty();
      assertThat(waiting.writes().notAttempted())
          .extracting(Summary.Note::policy)
          .containsExactly("ClusterPolicy/goes");
      assertThat(waiting.warnings()).isEmpty();
      time.advance(Duration.ofMinutes(5));
    }
    var preview = sync(WriteMode.DRY_RUN, "stays", "bad");
    var seventh = run("stays", "bad");

    assertThat(preview.writes().removed()).isEqualTo(seventh.writes().removed());
    assertThat(preview.warnings()).isEqualTo(seventh.warnings());
    assertThat(seventh.writes().removed()).extracting(Summary.Change::policy).containsExactly(GOES);
    assertThat(seventh.status()).isEqualTo(Summary.RunStatus.FAILED);
    assertThat(seventh.warnings())
        .containsExactly(
            "ClusterPolicy/bad has failed since 2026-11-21T03:00:00Z, in 7 runs; removals of"
                + " other policies no longer wait for it");
  }

  @Test
  void waitsForHalfAnHourHoweverOftenItRuns() {
    run("goes", "stays");
    store.refuse(clusterPolicyId("bad"), STRANGE);
    for (int i = 0; i < 12; i++) {
      assertThat(run("stays", "bad").writes().removed()).isEmpty();
      time.advance(Duration.ofMinutes(2));
    }

    time.advance(Duration.ofMinutes(6));

    assertThat(run("stays", "bad").writes().removed()).hasSize(1);
  }

  @Test
  void beginsAnewOnceThePolicySucceeded() {
    run("goes", "stays");
    store.refuse(clusterPolicyId("bad"), STRANGE);
    for (int i = 0; i < 5; i++) {
      run("stays", "bad", "goes");
      time.advance(Duration.ofMinutes(10));
    }
    store.allow(clusterPolicyId("bad"));
    run("stays", "bad", "goes");
    assertThat(memory.load().state().failures()).isEqualTo(FailureHistory.NONE);

    store.refuse(clusterPolicyId("worse"), STRANGE);

    assertThat(run("stays", "bad", "worse").writes().removed()).isEmpty();
  }

  @Test
  void removesOthersOnceAFinalizerHasStayed() {
    run("goes", "stays");
    stuckForAFinalizer();

    for (int i = 0; i < 6; i++) {
      assertThat(run("stays", "cel").writes().removed()).isEmpty();
      time.advance(Duration.ofMinutes(5));
    }

    assertThat(run("stays", "cel").writes().removed())
        .extracting(Summary.Change::policy)
        .containsExactly(GOES);
  }

  @Test
  void notesNothingOfAFinalizerWhileNothingIsToDo() {
    run("stays");
    stuckForAFinalizer();
    run("stays", "cel");
    var updates = memory.updates();

    time.advance(Duration.ofMinutes(5));
    run("stays", "cel");

    assertThat(memory.updates()).isEqualTo(updates);
    assertThat(memory.load().state().failures()).isEqualTo(FailureHistory.NONE);
  }

  private void stuckForAFinalizer() {
    var live = terminating(applied(PolicyFixtures.policy(STUCK)));
    store.list(
        PolicyKind.VALIDATING_POLICY,
        new Listing.Listed(PolicyKind.VALIDATING_POLICY.versions().getFirst(), List.of(live)));
  }

  private Summary run(String... names) {
    return sync(WriteMode.LIVE, names);
  }

  /// @param names of cluster policies; `cel` is the other policy, which may be stuck
  private Summary sync(WriteMode writeMode, String... names) {
    var feed =
        Arrays.stream(names)
            .map(SynchronizerFailuresTest::document)
            .collect(Collectors.joining("---\n"));
    var manifest = new Manifest("feed", feed.getBytes(StandardCharsets.UTF_8));
    var result =
        new Synchronizer(
                new SyncPorts(
                    () -> List.of(manifest),
                    store,
                    new FakeSyncLock(lease, "run", time),
                    memory,
                    Optional.empty(),
                    EventSink.NONE),
                new SyncOptions(
                    RULES, writeMode, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
                new Cancellation(Duration.ofMinutes(4), time::nanoTime),
                time.clock(),
                Progress.NONE)
            .run();
    return Summary.of(result, writeMode, Duration.ZERO, Instant.EPOCH);
  }

  private static String document(String name) {
    return name.equals("cel")
        ? """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata: {name: stuck}
        spec: {validationActions: [Audit]}
        """
        : """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: %s}
        spec: {validationFailureAction: Audit, rules: [{name: team}]}
        """
            .formatted(name);
  }
}
