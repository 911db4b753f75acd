package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.FieldChange;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.PlanFixtures;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.ScriptedPolicyStore;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// One run from the feed to the facts of its summary (promises 3, 7, 9, 11 and 12).
class SynchronizerTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final Policy A = clusterPolicy("a");
  private static final Policy B = clusterPolicy("b");
  private static final Failure DOWN = new Failure(Failure.Cause.UNREACHABLE, "no answer");

  /// What happened, in order: `acquire`, `release`, each write, `send` with the names.
  private final List<String> events = new ArrayList<>();

  private final ScriptedPolicyStore store =
      new ScriptedPolicyStore().during(action -> events.add("write"));
  private final AtomicLong nanos = new AtomicLong();
  private final Cancellation stop = new Cancellation(Duration.ofMinutes(4), nanos::get);
  private final ScriptedLock lock = new ScriptedLock();
  private final FakeRunStateStore memory = new FakeRunStateStore(new FakeTime());
  private final List<String> told = new ArrayList<>();

  /// What had happened by the time the Events were written.
  private List<String> publishedAfter = List.of();

  private Optional<String> notTold = Optional.empty();
  private int notTaken;

  @Test
  void takesNoLockAndSendsNothingWhereNothingIsToDo() {
    store.listing(cluster(applied(A), applied(B)));

    var result = run(WriteMode.LIVE, A, B);

    assertThat(finished(result).plan().unchanged()).containsExactly(A.id(), B.id());
    assertThat(finished(result).outcomes()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void writesAndReportsUnderTheLock() {
    store.listing(cluster());

    var result = run(WriteMode.LIVE, A, B);

    assertThat(finished(result).outcomes())
        .containsExactly(done(new Action.Create(desired(A))), done(new Action.Create(desired(B))));
    assertThat(events).containsExactly("acquire", "write", "write", "send a, b", "release");
  }

  @Test
  void reportsWhatFailsEvenWhereNothingCanBeDone() {
    var cel = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "cel"));
    store.listing(with(cluster(), PolicyKind.VALIDATING_POLICY, PlanFixtures.absent()));

    run(WriteMode.LIVE, cel);

    assertThat(events).containsExactly("send cel");
  }

  @Test
  void writesEventsOnceTheLockIsGivenBack() {
    store.listing(cluster());

    run(WriteMode.LIVE, A);

    assertThat(publishedAfter).containsExactly("acquire", "write", "send a", "release");
  }

  @Test
  void plansAgainUnderTheLock() {
    store.listing(cluster(), cluster(applied(A)));

    var result = run(WriteMode.LIVE, A, B);

    assertThat(finished(result).plan().unchanged()).containsExactly(A.id());
    assertThat(store.writes).containsExactly("apply ClusterPolicy/b");
  }

  @Test
  void readsTheFeedAgainWhereItHadToWaitForTheLock() {
    store.listing(cluster(), cluster());
    lock.takes = Duration.ofSeconds(30);
    var feeds = new ArrayDeque<>(List.of(feedOf(A), feedOf(B)));
    PolicySource source = () -> feeds.removeFirst().read();

    var result = synchronizer(source, store, WriteMode.LIVE, false, stop).run();

    assertThat(store.writes).containsExactly("apply ClusterPolicy/b");
    assertThat(finished(result).outcomes()).containsExactly(done(new Action.Create(desired(B))));
  }

  @Test
  void writesNothingWhereTheFeedCannotBeReadAgain() {
    store.listing(cluster());
    lock.takes = Duration.ofSeconds(30);
    var feeds = new ArrayDeque<>(List.of(feedOf(A)));
    PolicySource source =
        () -> {
          if (feeds.isEmpty()) {
            throw new FeedProblem("GET …: HTTP 503", true);
          }
          return feeds.removeFirst().read();
        };

    var result = synchronizer(source, store, WriteMode.LIVE, false, stop).run();

    assertThat(result).isEqualTo(new SyncResult.Refused("GET …: HTTP 503", true));
    assertThat(events).containsExactly("acquire", "release");
  }

  @Test
  void writesNothingWhereAnotherRunDidItMeanwhile() {
    store.listing(cluster(), cluster(applied(A)));

    var result = run(WriteMode.LIVE, A);

    assertThat(finished(result).outcomes()).isEmpty();
    assertThat(events).containsExactly("acquire", "release");
  }

  @Test
  void skipsWhereAnotherRunHasTheLease() {
    store.listing(cluster());
    lock.attempt = new SyncLock.Attempt.HeldBy("pod-2");

    var result = run(WriteMode.LIVE, A);

    assertThat(result)
        .isInstanceOfSatisfying(
            SyncResult.Skipped.class, skipped -> assertThat(skipped.holder()).isEqualTo("pod-2"));
    assertThat(events).containsExactly("acquire");
  }

  @Test
  void refusesWhereTheLeaseCannotBeTried() {
    store.listing(cluster());
    lock.attempt = new SyncLock.Attempt.Unavailable(DOWN);

    assertThat(run(WriteMode.LIVE, A)).isEqualTo(new SyncResult.Refused("no answer", true));
    assertThat(events).containsExactly("acquire");
  }

  @Test
  void isStoppedWhereASignalCameWhileItWaitedForTheLease() {
    for (var attempt :
        List.of(new SyncLock.Attempt.HeldBy("pod-2"), new SyncLock.Attempt.Unavailable(DOWN))) {
      var sign = new Cancellation(Duration.ofMinutes(4), nanos::get);
      sign.raise(StopReason.SIGNAL);
      lock.attempt = attempt;
      store.listing(cluster());

      assertThat(synchronizer(feedOf(A), store, WriteMode.LIVE, false, sign).run())
          .as(attempt.toString())
          .isEqualTo(new SyncResult.Stopped());
    }
  }

  @Test
  void waitsForTheLeaseNoLongerThanTheRunMayTake() {
    store.listing(cluster());
    nanos.set(Duration.ofSeconds(200).toNanos());

    run(WriteMode.LIVE, A);

    assertThat(lock.waited).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void waitsForTheLeaseNoLongerThanItIsTold() {
    store.listing(cluster());

    run(WriteMode.LIVE, A);

    assertThat(lock.waited).isEqualTo(Duration.ofSeconds(65));
  }

  @Test
  void takesNoLockAndSendsNothingInADryRun() {
    store.listing(cluster());

    var result = run(WriteMode.DRY_RUN, A);

    assertThat(finished(result).outcomes()).containsExactly(done(new Action.Create(desired(A))));
    assertThat(store.writes).containsExactly("dry-run apply ClusterPolicy/a");
    assertThat(events).containsExactly("write");
  }

  @Test
  void findsOutWhatChangesOnlyWhereItIsAskedTo() {
    store.listing(cluster());
    store.answering(B.id(), new Written.Refused(DOWN));

    var asked = synchronizer(feedOf(A, B), store, WriteMode.DRY_RUN, true, stop).run();
    var unasked = synchronizer(feedOf(A, B), store, WriteMode.DRY_RUN, false, stop).run();

    assertThat(finished(asked).changes()).containsOnlyKeys(A.id());
    assertThat(finished(asked).changes().values())
        .singleElement()
        .extracting(PolicyDiff::fields, as(InstanceOfAssertFactories.list(FieldChange.class)))
        .extracting(FieldChange::path)
        .containsExactly("apiVersion", "kind", "metadata", "spec");
    assertThat(finished(unasked).changes()).isEmpty();
  }

  @Test
  void stopsFindingOutWhatChangesWhenItIsTimeTo() {
    store.listing(cluster());
    store.during(_ -> nanos.set(Duration.ofMinutes(4).toNanos()));

    var late = finished(synchronizer(feedOf(A, B), store, WriteMode.DRY_RUN, true, stop).run());

    assertThat(late.changes()).containsOnlyKeys(A.id());
    assertThat(late.outcomes())
        .last()
        .isEqualTo(new Outcome.NotAttempted(new Action.Create(desired(B)), StopReason.DEADLINE));
  }

  @Test
  void stopsFindingOutWhatChangesOnASignal() {
    store.listing(cluster());
    store.during(_ -> stop.raise(StopReason.SIGNAL));

    var stopped = synchronizer(feedOf(A, B), store, WriteMode.DRY_RUN, true, stop).run();

    assertThat(stopped)
        .isInstanceOfSatisfying(
            SyncResult.Interrupted.class,
            it -> assertThat(it.run().changes()).containsOnlyKeys(A.id()));
    assertThat(store.writes).containsExactly("dry-run apply ClusterPolicy/a");
  }

  @Test
  void refusesAFeedThatCannotBeTrusted() {
    PolicySource source =
        () -> {
          throw new FeedProblem("the API returned 401", false);
        };

    var result = synchronizer(source, store, WriteMode.LIVE, false, stop).run();

    assertThat(result).isEqualTo(new SyncResult.Refused("the API returned 401", false));
    assertThat(events).isEmpty();
  }

  @Test
  void refusesAFeedThatIsNoPolicies() {
    store.listing(cluster());
    PolicySource source = () -> List.of(manifest("<html><body>Sign in</body></html>"));

    var result = synchronizer(source, store, WriteMode.LIVE, false, stop).run();

    assertThat(result).isInstanceOf(SyncResult.Refused.class);
    assertThat(events).isEmpty();
  }

  @Test
  void withholdsEveryRemovalWhenTheFeedIsEmpty() {
    store.listing(cluster(applied(A)));

    var result =
        synchronizer(() -> List.of(manifest("{}")), store, WriteMode.LIVE, false, stop).run();

    assertThat(finished(result).plan().pending().withheld()).hasSize(1);
    assertThat(events).isEmpty();
  }

  @Test
  void isStoppedWhereASignalCutTheFeedOff() {
    PolicySource source =
        () -> {
          stop.raise(StopReason.SIGNAL);
          throw new FeedProblem("cut off", true);
        };

    assertThat(synchronizer(source, store, WriteMode.LIVE, false, stop).run())
        .isEqualTo(new SyncResult.Stopped());
  }

  @Test
  void refusesWhereTheClusterCannotBeRead() {
    var blind = new UnreadableStore(store, 0);

    var result = synchronizer(feedOf(A), blind, WriteMode.LIVE, false, stop).run();

    assertThat(result).isEqualTo(new SyncResult.Refused("no answer", true));
    assertThat(events).isEmpty();
  }

  @Test
  void givesTheLockBackWhereTheClusterCannotBeReadAgain() {
    store.listing(cluster());
    var blind = new UnreadableStore(store, 1);

    var result = synchronizer(feedOf(A), blind, WriteMode.LIVE, false, stop).run();

    assertThat(result).isEqualTo(new SyncResult.Refused("no answer", true));
    assertThat(events).containsExactly("acquire", "release");
  }

  @Test
  void givesTheLockBackWhereAWriteThrows() {
    store.listing(cluster());
    store.during(_ -> {
      throw new IllegalArgumentException("a bug");
    });

    assertThatIllegalArgumentException().isThrownBy(() -> run(WriteMode.LIVE, A));
    assertThat(events).containsExactly("acquire", "release");
  }

  @Test
  void writesNothingMoreOnceTheLeaseIsLost() {
    store.listing(cluster());
    lock.ours = 1;

    var result = run(WriteMode.LIVE, A, B);

    assertThat(finished(result).outcomes())
        .containsExactly(
            done(new Action.Create(desired(A))),
            new Outcome.NotAttempted(new Action.Create(desired(B)), StopReason.LEASE_LOST));
    assertThat(events).containsExactly("acquire", "write", "send a", "release");
  }

  @Test
  void writesNothingMoreOnceItsTimeIsUp() {
    store.listing(cluster());
    store.during(_ -> nanos.set(Duration.ofMinutes(4).toNanos()));

    var result = run(WriteMode.LIVE, A, B);

    assertThat(finished(result).outcomes().getLast())
        .isEqualTo(new Outcome.NotAttempted(new Action.Create(desired(B)), StopReason.DEADLINE));
  }

  @Test
  void removesOnlyAfterItHasApplied() {
    store.listing(cluster(applied(B)));

    run(WriteMode.LIVE, A);

    assertThat(store.writes)
        .containsExactly("apply ClusterPolicy/a", "remove ClusterPolicy/b at 1");
  }

  @Test
  void saysHowManyStatusesTheApiDidNotTake() {
    store.listing(cluster());
    notTaken = 1;

    assertThat(finished(run(WriteMode.LIVE, A, B)).remarks())
        .containsExactly("the API did not accept 1 status; the next run retries");
  }

  @Test
  void tellsTheClustersUsersWhatItDid() {
    store.listing(cluster());

    run(WriteMode.LIVE, A);

    assertThat(told).containsExactly("PolicyApplied ClusterPolicy/a: new");
  }

  @Test
  void tellsNobodyOfADryRunOrWhereNothingHappened() {
    store.listing(cluster());
    run(WriteMode.DRY_RUN, A);
    store.listing(cluster(applied(A)));
    run(WriteMode.LIVE, A);

    assertThat(told).isEmpty();
  }

  @Test
  void warnsWhereItCouldNotTell() {
    store.listing(cluster());
    notTold = Optional.of("HTTP 403");

    var result = run(WriteMode.LIVE, A);

    assertThat(finished(result).remarks())
        .containsExactly("some Events could not be written: HTTP 403");
    assertThat(finished(result).outcomes()).containsExactly(done(new Action.Create(desired(A))));
  }

  @Test
  void keepsTheRestOfItsTimeForTheLeaseOnceItIsToldToStop() {
    store.listing(cluster());
    store.during(_ -> stop.raise(StopReason.SIGNAL));

    run(WriteMode.LIVE, A);

    assertThat(told).isEmpty();
    assertThat(events).endsWith("release");
  }

  @Test
  void saysThatASignalCameAfterItsLastWrite() {
    store.listing(cluster(), cluster(), cluster(applied(A)));
    store.during(_ -> stop.raise(StopReason.SIGNAL));

    var summary = Summary.of(run(WriteMode.LIVE, A), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);

    assertThat(summary.status()).isEqualTo(Summary.RunStatus.STOPPED);
    assertThat(summary.writes().applied()).hasSize(1);
    assertThat(summary.warnings())
        .containsExactly(
            "the run was stopped by a signal after all writes were done; the next run sends the"
                + " remaining notifications");
  }

  @Test
  void saysOnceThatASignalCameBetweenTwoWrites() {
    store.listing(cluster());
    store.during(_ -> stop.raise(StopReason.SIGNAL));

    var summary =
        Summary.of(run(WriteMode.LIVE, A, B), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);

    assertThat(summary.status()).isEqualTo(Summary.RunStatus.STOPPED);
    assertThat(summary.writes().notAttempted()).hasSize(1);
    assertThat(summary.warnings()).isEmpty();
  }

  @Test
  void signsItsStatusesWithTheTimeOfTheClock() {
    store.listing(cluster());
    var sent = new ArrayList<PolicyStatus>();
    var sink =
        new FakeStatusSink(statuses -> {
          sent.addAll(statuses);
          return List.of();
        });

    synchronizer(feedOf(A), store, sink, WriteMode.LIVE, false, stop).run();

    assertThat(sent).extracting(PolicyStatus::at).containsExactly(NOW);
    assertThat(sent).extracting(PolicyStatus::name).containsExactly("a");
  }

  private Optional<String> tell(List<PolicyEvent> happened) {
    publishedAfter = List.copyOf(events);
    happened.forEach(event -> told.add(event.reason() + " " + event.note()));
    return notTold;
  }

  private SyncResult run(WriteMode writeMode, Policy... feed) {
    return synchronizer(feedOf(feed), store, writeMode, false, stop).run();
  }

  private Synchronizer synchronizer(
      PolicySource source,
      PolicyStore store,
      WriteMode writeMode,
      boolean differences,
      Cancellation stop) {
    var sink =
        new FakeStatusSink(statuses -> {
          events.add(
              "send "
                  + statuses.stream().map(PolicyStatus::name).collect(Collectors.joining(", ")));
          return statuses.subList(0, notTaken);
        });
    return synchronizer(source, store, sink, writeMode, differences, stop);
  }

  private Synchronizer synchronizer(
      PolicySource source,
      PolicyStore store,
      StatusSink sink,
      WriteMode writeMode,
      boolean differences,
      Cancellation stop) {
    var options =
        new SyncOptions(
            RULES, writeMode, differences, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty());
    return new Synchronizer(
        new SyncPorts(source, store, lock, memory, Optional.of(sink), this::tell),
        options,
        stop,
        Clock.fixed(NOW, ZoneOffset.UTC),
        Progress.NONE);
  }

  private static PolicySource feedOf(Policy... policies) {
    var yaml =
        Arrays.stream(policies)
            .map(policy -> YamlText.write(policy.content()))
            .collect(Collectors.joining("---\n"));
    return () -> List.of(manifest(yaml));
  }

  private static Manifest manifest(String text) {
    return new Manifest("feed", text.getBytes(StandardCharsets.UTF_8));
  }

  private static SyncResult.Finished finished(SyncResult result) {
    assertThat(result).isInstanceOf(SyncResult.Finished.class);
    return (SyncResult.Finished) result;
  }

  private static Outcome done(Action action) {
    return new Outcome.Done(action, List.of());
  }

  /// Can be had, unless it was told otherwise.
  private final class ScriptedLock implements SyncLock {
    private Attempt attempt = new Attempt.Taken(new ScriptedHold());
    private Duration waited = Duration.ZERO;

    /// How long it takes until it can be had.
    private Duration takes = Duration.ZERO;

    /// How often it says that it is still ours.
    private int ours = Integer.MAX_VALUE;

    @Override
    public Attempt acquire(Duration wait) {
      events.add("acquire");
      waited = wait;
      nanos.addAndGet(takes.toNanos());
      return attempt;
    }

    private final class ScriptedHold implements Held {
      @Override
      public boolean stillOurs() {
        return ours-- > 0;
      }

      @Override
      public void close() {
        events.add("release");
      }
    }
  }

  /// Can be listed so many times and then no more.
  private static final class UnreadableStore implements PolicyStore {
    private final PolicyStore store;
    private int times;

    UnreadableStore(PolicyStore store, int times) {
      this.store = store;
      this.times = times;
    }

    @Override
    public ActualPolicies list() {
      if (times-- <= 0) {
        throw new ClusterUnavailable(DOWN);
      }
      return store.list();
    }

    @Override
    public Optional<LivePolicy> find(PolicyId id) {
      return store.find(id);
    }

    @Override
    public Optional<Value.Mapping> read(PolicyId id) {
      return store.read(id);
    }

    @Override
    public Written apply(Action.Write write, WriteMode writeMode) {
      return store.apply(write, writeMode);
    }

    @Override
    public Written remove(Action.Remove removal, WriteMode writeMode) {
      return store.remove(removal, writeMode);
    }

    @Override
    public Preview preview(Action.Write write) {
      return store.preview(write);
    }
  }
}
