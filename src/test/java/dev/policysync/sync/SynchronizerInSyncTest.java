package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.Synchronizer.Options;
import dev.policysync.sync.Synchronizer.Ports;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.notification.EventSink;
import dev.policysync.sync.notification.StatusSink;
import dev.policysync.sync.state.FakeRunStateStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a run that wrote leaves, so that the next one need not compare anything.
class SynchronizerInSyncTest {
  private static final String NO_POLICIES = "<html><body>Sign in</body></html>";

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private boolean apiListens = true;

  @Test
  void isNotedByARunThatWroteAndLeftNothingOpen() {
    run(feed("a"));

    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void sparesTheNextRunTheReadingOfTheFeed() {
    run(feed("a"));
    // A text that nobody could read shows that nobody tried to.
    agree(NO_POLICIES);

    var result = run(NO_POLICIES);

    assertThat(result).isInstanceOf(SyncResult.Finished.class);
    assertThat(((SyncResult.Finished) result).plan().unchanged())
        .containsExactly(clusterPolicyId("a"));
  }

  @Test
  void doesNotHoldForAnotherFeed() {
    run(feed("a"));

    var result = run(NO_POLICIES);

    assertThat(result).isInstanceOf(SyncResult.Refused.class);
  }

  @Test
  void doesNotHoldOnceSomebodyChangedAPolicy() {
    run(feed("a"));
    store.edit(clusterPolicyId("a"), "{spec: {validationFailureAction: Enforce}}");

    var result = run(feed("a"));

    assertThat(((SyncResult.Finished) result).outcomes()).hasSize(1);
    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void doesNotHoldWhileAStatusWaitsToBeSent() {
    apiListens = false;
    run(feed("a"));
    apiListens = true;

    var result = run(feed("a"));

    assertThat(result).isInstanceOf(SyncResult.Finished.class);
    assertThat(memory.load().state().unsent()).isEmpty();
  }

  @Test
  void isNotReachedWhileSomethingIsLeftUndone() {
    store.refuse(clusterPolicyId("b"), new Failure(Failure.Cause.DENIED, "no"));

    run(feed("a") + "---\n" + feed("b"));

    assertThat(agreement()).isEmpty();
  }

  @Test
  void isNotReachedWhereSomebodyChangedAPolicyBehindItsWrite() {
    // Fires before b is written, when a is in the cluster already.
    store.beforeEachWrite(write -> {
      if (write.id().equals(clusterPolicyId("b"))) {
        store.edit(clusterPolicyId("a"), "{spec: {validationFailureAction: Enforce}}");
      }
    });

    run(feed("a") + "---\n" + feed("b"));

    assertThat(agreement()).isEmpty();
  }

  @Test
  void isForgottenByARunThatWroteAndDidNotReachIt() {
    run(feed("a"));
    store.refuse(clusterPolicyId("b"), new Failure(Failure.Cause.DENIED, "no"));

    run(feed("a") + "---\n" + feed("b"));

    assertThat(agreement()).isEmpty();
  }

  @Test
  void isNotNotedByARunThatHasNothingToWrite() {
    run(feed("a"));
    agree(NO_POLICIES);
    var updates = memory.updates();

    run(feed("a"));

    assertThat(memory.updates()).isEqualTo(updates);
  }

  private Optional<InSyncFingerprint> agreement() {
    return memory.load().state().agreement();
  }

  private Optional<InSyncFingerprint> now(String feed) {
    return InSyncFingerprint.on(Digest.of(feed.getBytes(UTF_8)), store.list(), RULES, "0.1.0");
  }

  private void agree(String feed) {
    memory.update(there -> there.withAgreement(now(feed)));
  }

  private SyncResult run(String feed) {
    PolicySource source = () -> List.of(new Manifest("feed", feed.getBytes(UTF_8)));
    StatusSink sink = statuses -> apiListens ? List.of() : statuses;
    return new Synchronizer(
            new Ports(
                source,
                store,
                new FakeSyncLock(lease, "run", time),
                memory,
                Optional.of(sink),
                EventSink.NONE),
            new Options(RULES, WriteMode.LIVE, false, 1, Duration.ofSeconds(65), "0.1.0"),
            new Cancellation(Duration.ofMinutes(4), time::nanoTime),
            time.clock(),
            Progress.NONE)
        .run();
  }

  private static String feed(String name) {
    return """
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
}
