package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.policysync.plan.Adoption;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is written is known to be current under the Lease (promise 3).
class SynchronizerFeedTest {
  private static final String FIRST = policy("kept", "Audit") + policy("old", "Audit");
  private static final String SECOND = policy("kept", "Enforce") + policy("brought", "Audit");

  private static final Duration BETWEEN_RUNS = Duration.ofMinutes(5);
  private static final Optional<StatusSink> REMOTE = Optional.of(StatusSink.NONE);
  private static final Optional<StatusSink> NOBODY = Optional.empty();

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private String published = FIRST;
  private RemovalBudget budget = new RemovalBudget.Count(1_000);
  private int taken;

  @Test
  void writesTheFeedThatIsCurrentUnderTheLeaseHoweverSoonItGotIt() {
    var slow =
        synchronizer(
            this::published,
            beforeItsLease(() -> {
              published = SECOND;
              finished(run());
            }),
            WriteMode.LIVE,
            REMOTE);

    var result = finished(slow.run());

    assertThat(result.outcomes()).isEmpty();
    assertThat(store.find(clusterPolicyId("brought"))).isPresent();
    assertThat(store.find(clusterPolicyId("old"))).isEmpty();
    assertThat(finished(run()).outcomes()).as("nothing was reverted").isEmpty();
  }

  /// As where the API still has it: a replica that lags behind, say.
  @Test
  void revertsNothingThatANewerFeedBroughtWhileItWaited() {
    var slow =
        synchronizer(
            this::published,
            beforeItsLease(() -> {
              published = SECOND;
              finished(run());
              published = FIRST;
            }),
            WriteMode.LIVE,
            REMOTE);

    assertThat(finished(slow.run()).plan().pending().withheld()).isNotEmpty();
    assertThat(finished(run()).plan().pending().withheld())
        .as("nor does the next run")
        .isNotEmpty();
    assertThat(store.find(clusterPolicyId("brought"))).isPresent();
    assertThat(store.find(clusterPolicyId("old"))).isEmpty();

    finished(run());
    assertThat(store.find(clusterPolicyId("old"))).as("it stayed, so it is meant").isPresent();
  }

  /// As where the connection on which it was read died.
  @Test
  void holdsNoNewFeedBackBecauseOfOneReadThatFailed() {
    finished(run());
    published = SECOND;
    memory.failNextLoad(new Failure(Failure.Cause.UNREACHABLE, "no answer"));

    var result = finished(run());

    assertThat(result.plan().pending().withheld()).isEmpty();
    assertThat(store.find(clusterPolicyId("brought"))).isPresent();
  }

  /// Two of them at a time would be a good part of the heap.
  @Test
  void holdsNoFeedWhileItReadsAnother() {
    var read = new ArrayDeque<WeakReference<byte[]>>();
    var held = new AtomicBoolean();
    PolicySource source =
        () -> {
          if (!read.isEmpty()) {
            System.gc();
            held.set(read.getFirst().get() != null);
          }
          var feed = published();
          read.add(new WeakReference<>(feed.getFirst().bytes()));
          return feed;
        };

    finished(synchronizer(source, lock(), WriteMode.LIVE, REMOTE).run());

    assertThat(read).hasSize(2);
    assertThat(held).isFalse();
    assertThat(store.writes()).isNotEmpty();
  }

  @Test
  void writesNothingWhereTheFeedCannotBeReadAgainUnderTheLease() {
    var reads = new AtomicInteger();
    PolicySource source =
        () -> {
          if (reads.getAndIncrement() > 0) {
            throw new FeedProblem("GET …: HTTP 503", true);
          }
          return published();
        };

    var result = synchronizer(source, lock(), WriteMode.LIVE, REMOTE).run();

    assertThat(result).isEqualTo(new SyncResult.Refused("GET …: HTTP 503", true));
    assertThat(store.writes()).isEmpty();
    assertThat(lease.holder()).isEmpty();
  }

  @Test
  void revertsNothingThatANewerFeedBrought() {
    writeBoth();

    published = FIRST;
    var result = finished(run());

    assertThat(result.outcomes()).isEmpty();
    assertThat(result.plan().pending().withheld())
        .extracting(held -> held.id().name() + ": " + held.reason())
        .containsExactly(
            "brought: the feed is older than one that was applied before",
            "kept: the feed is older than one that was applied before",
            "old: the feed is older than one that was applied before");
    var summary = Summary.of(result, WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.WITHHELD);
    assertThat(summary.pending().approval()).isEmpty();
    assertThat(summary.warnings())
        .containsExactly(
            "nothing is written: the feed went back to an older version; it has been unchanged"
                + " since 2026-11-21T03:15:00Z and will be applied from 2026-11-21T03:25:00Z on");
  }

  @Test
  void saysTheSameInAPreviewAndNotesNothing() {
    writeBoth();
    var noted = memory.load().state();

    published = FIRST;
    var preview = finished(synchronizer(this::published, lock(), WriteMode.DRY_RUN, REMOTE).run());

    assertThat(preview.plan().actions()).isEmpty();
    assertThat(preview.plan().pending().withheld()).hasSize(3);
    assertThat(preview.remarks()).singleElement().asString().contains("2026-11-21T03:20:00Z on");
    assertThat(memory.load().state()).isEqualTo(noted);
  }

  @Test
  void writesAnOlderFeedThatStaysForTenMinutes() {
    writeBoth();
    published = FIRST;
    var first = finished(run());
    var second = finished(run());

    var third = finished(run());

    assertThat(first.outcomes()).isEmpty();
    assertThat(second.outcomes()).isEmpty();
    assertThat(second.remarks()).isEqualTo(first.remarks());
    assertThat(third.outcomes()).hasSize(3).allMatch(Outcome.Done.class::isInstance);
    assertThat(names()).containsExactly("kept", "old");
  }

  @Test
  void takesTheNewerFeedForOlderOnceTheOlderOneWasMeant() {
    writeBoth();
    published = FIRST;
    run();
    run();
    run();
    published = SECOND;

    var result = finished(run());

    assertThat(result.outcomes()).isEmpty();
    assertThat(names()).containsExactly("kept", "old");
  }

  @Test
  void neverWritesAnOlderFeedThatComesAndGoes() {
    writeBoth();
    for (int i = 0; i < 12; i++) {
      published = i % 2 == 0 ? FIRST : SECOND;
      assertThat(finished(run()).outcomes()).isEmpty();
    }

    assertThat(names()).containsExactly("brought", "kept");
  }

  @Test
  void writesNothingMoreOnceTheFeedIsTheNewestAgain() {
    writeBoth();
    published = FIRST;
    run();
    published = SECOND;
    var back = finished(run());
    var updates = memory.updates();

    var quiet = finished(run());

    assertThat(back.remarks()).isEmpty();
    assertThat(memory.load().state().feeds().older()).isEmpty();
    assertThat(memory.updates()).isEqualTo(updates);
    assertThat(quiet.plan().unchanged()).hasSize(2);
  }

  @Test
  void takesNoLeaseForAnOlderFeedThatAsksForNothing() {
    writeBoth();
    published = FIRST;
    synchronizer(this::published, lock(), WriteMode.LIVE, NOBODY).run();
    var noted = memory.load().state();
    var before = taken;

    var result = finished(run());

    assertThat(result.plan().unchanged()).hasSize(2);
    assertThat(result.remarks()).isEmpty();
    assertThat(taken).isEqualTo(before);
    assertThat(memory.load().state()).isEqualTo(noted);
  }

  @Test
  void countsNoRemovalsThatAnOlderFeedAsksFor() {
    budget = RemovalBudget.DEFAULT;
    published = FIRST;
    run();
    published = FIRST + names("more", 9);
    run();
    published = FIRST;
    run();
    var removals = memory.load().state().removals();

    assertThat(removals).isEqualTo(RemovalHistory.NONE);
  }

  @Test
  void recordsUnderAnOlderFeedTooThatWhatEarlierRunsRecordedCannotBeRead() {
    writeBoth();
    memory.update(noted -> noted.withRemovals(noted.removals().withUnreadable(List.of("removed"))));
    published = FIRST;

    var older = finished(run());

    assertThat(older.plan().pending().withheld()).hasSize(3);
    assertThat(memory.load().state().removals().completeFrom()).isPresent();
  }

  @Test
  void waitsForNobodyWhoAppliesFiles() {
    writeBoth();
    published = FIRST;

    var byFiles = finished(synchronizer(this::published, lock(), WriteMode.LIVE, NOBODY).run());
    published = SECOND;
    var next = finished(run());

    assertThat(byFiles.outcomes()).hasSize(3).allMatch(Outcome.Done.class::isInstance);
    assertThat(next.outcomes()).as("still the API's newest").hasSize(3);
    assertThat(names()).containsExactly("brought", "kept");
  }

  @Test
  void knowsOfNoOlderFeedWhereTheMemoryWasLost() {
    writeBoth();
    memory.update(_ -> RunState.NONE);
    published = FIRST;

    assertThat(finished(run()).outcomes()).hasSize(3);
  }

  @Test
  void notesNothingAgainstAFeedThatOnlyItsReaderHeldBack() {
    run();
    var slow =
        synchronizer(
            this::published, beforeItsLease(() -> published = SECOND), WriteMode.LIVE, REMOTE);
    published = SECOND;
    run();
    published = FIRST;

    var result = finished(slow.run());

    assertThat(result.outcomes()).isEmpty();
    assertThat(result.plan().pending().withheld()).isEmpty();
    assertThat(memory.load().state().feeds().older()).isEmpty();
  }

  @Test
  void notesNoFeedOnceAnotherRunHasWrittenANewerOne() {
    var reads = new AtomicInteger();
    PolicySource slow =
        () -> {
          var feed = published();
          if (reads.incrementAndGet() == 2) {
            // It has looked at the memory by then.
            await().until(() -> memory.loads() == 2);
            time.advance(Duration.ofSeconds(61));
            published = SECOND;
            finished(run());
          }
          return feed;
        };

    var result = synchronizer(slow, lock(), WriteMode.LIVE, REMOTE).run();
    var next = finished(run());

    assertThat(result)
        .isInstanceOfSatisfying(
            SyncResult.Refused.class, refused -> assertThat(refused.retryable()).isTrue());
    assertThat(next.plan().pending().withheld()).as("the newest feed is no older one").isEmpty();
    assertThat(names()).containsExactly("brought", "kept");
  }

  private void writeBoth() {
    published = FIRST;
    run();
    published = SECOND;
    run();
  }

  private List<String> names() {
    return Stream.of("brought", "kept", "old")
        .filter(name -> store.find(clusterPolicyId(name)).isPresent())
        .toList();
  }

  private static String names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> policy(prefix + i, "Audit")).collect(joining());
  }

  private SyncResult run() {
    time.advance(BETWEEN_RUNS);
    return synchronizer(this::published, lock(), WriteMode.LIVE, REMOTE).run();
  }

  private SyncLock lock() {
    return wait -> {
      taken++;
      return new FakeSyncLock(lease, "run", time).acquire(wait);
    };
  }

  /// One that is asked for the Lease only when that has happened.
  private SyncLock beforeItsLease(Runnable happens) {
    return wait -> {
      happens.run();
      return lock().acquire(wait);
    };
  }

  private List<Manifest> published() {
    return List.of(new Manifest("feed", published.getBytes(StandardCharsets.UTF_8)));
  }

  private Synchronizer synchronizer(
      PolicySource source, SyncLock lock, WriteMode writeMode, Optional<StatusSink> statuses) {
    return new Synchronizer(
        new SyncPorts(source, store, lock, memory, statuses, EventSink.NONE),
        new SyncOptions(
            new PlannerOptions(SOURCE, Adoption.NEVER, budget),
            writeMode,
            false,
            1,
            Duration.ofSeconds(65),
            "0.1.0",
            Optional.empty()),
        new Cancellation(Duration.ofMinutes(4), time::nanoTime),
        time.clock(),
        Progress.NONE);
  }

  private static String policy(String name, String action) {
    return """
    ---
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata:
      name: %s
    spec:
      validationFailureAction: %s
      rules: [{name: team}]
    """
        .formatted(name, action);
  }

  private static SyncResult.Finished finished(SyncResult result) {
    assertThat(result).isInstanceOf(SyncResult.Finished.class);
    return (SyncResult.Finished) result;
  }
}
