package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.Listing;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What a run that wrote leaves, so that the next one need not compare anything.
class SynchronizerInSyncTest {
  private static final String NO_POLICIES = "<html><body>Sign in</body></html>";

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final AtomicInteger releaseAsked = new AtomicInteger();
  private boolean apiListens = true;
  private Optional<KyvernoVersion> installed = KyvernoVersion.parse("v1.19.1");
  private KyvernoHealth health = new KyvernoHealth.Running("kyverno", Duration.ZERO);

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
    assertThat(memory.load().state().backlog(SOURCE).unsent()).isEmpty();
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

  /// Policies do not show it, so each later run has to ask.
  @Test
  void endsWhereAnotherReleaseOfKyvernoExecutesThemNoMore() {
    run(feed("a"));
    installed = KyvernoVersion.parse("v1.20.0");
    time.advance(Duration.ofMinutes(59));
    var before = run(feed("a"));
    time.advance(Duration.ofMinutes(1));
    var found = run(feed("a"));
    time.advance(Duration.ofMinutes(5));
    var after = run(feed("a"));

    assertThat(notInForce(before)).isEmpty();
    assertThat(notInForce(found)).containsExactly(clusterPolicyId("a"));
    assertThat(agreement()).isEmpty();
    assertThat(notInForce(after)).containsExactly(clusterPolicyId("a"));
  }

  @Test
  void isNotReachedWhereKyvernoDoesNotExecuteThem() {
    installed = KyvernoVersion.parse("v1.20.0");

    var result = run(feed("a"));

    assertThat(notInForce(result)).containsExactly(clusterPolicyId("a"));
    assertThat(agreement()).isEmpty();
  }

  @Test
  void isNotReachedWhereKyvernoRefusesThem() {
    installed = KyvernoVersion.parse("v1.20.0");
    store.refuse(clusterPolicyId("a"), new Failure(Failure.Cause.DENIED, "no"));

    var result = run(feed("a"));

    assertThat(notInForce(result)).isEmpty();
    assertThat(agreement()).isEmpty();
  }

  @Test
  void asksNobodyForTheReleaseInMostRuns() {
    run(feed("a"));
    var asked = releaseAsked.get();

    run(feed("a"));

    assertThat(releaseAsked).hasValue(asked);
  }

  @Test
  void isNotNotedByARunThatHasNothingToWrite() {
    run(feed("a"));
    agree(NO_POLICIES);
    var updates = memory.updates();

    run(feed("a"));

    assertThat(memory.updates()).isEqualTo(updates);
  }

  @Test
  void sparesTheNextRunTheFeedWhereItsSourceTellsVersionsApart() {
    var source = new VersionedSource(feed("a"));
    run(source, WriteMode.LIVE);
    var read = source.read;

    var result = run(source, WriteMode.LIVE);

    assertThat(source.read).isEqualTo(read);
    assertThat(((SyncResult.Finished) result).plan().unchanged())
        .containsExactly(clusterPolicyId("a"));
    assertThat(((SyncResult.Finished) result).feed())
        .isEqualTo(Digest.of(feed("a").getBytes(UTF_8)));
  }

  @Test
  void readsTheFeedOfAnotherVersion() {
    var source = new VersionedSource(feed("a"));
    run(source, WriteMode.LIVE);
    source.now(feed("b"), "2");

    run(source, WriteMode.LIVE);

    assertThat(store.find(clusterPolicyId("b"))).isPresent();
    assertThat(agreement()).isEqualTo(now(feed("b")));
  }

  @Test
  void readsAFeedOfTheSameVersionWhereSomebodyChangedAPolicy() {
    var source = new VersionedSource(feed("a"));
    run(source, WriteMode.LIVE);
    store.edit(clusterPolicyId("a"), "{spec: {validationFailureAction: Enforce}}");

    var result = run(source, WriteMode.LIVE);

    assertThat(((SyncResult.Finished) result).outcomes()).hasSize(1);
    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void findsAFeedThatKeptItsVersionWithinAnHourOnAnySchedule() {
    var all = feed("a");
    for (var every :
        List.of(
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofMinutes(45),
            Duration.ofHours(6),
            Duration.ofDays(1))) {
      var source = new VersionedSource(all);
      run(source, WriteMode.LIVE);
      time.advance(every);
      run(source, WriteMode.LIVE);
      var added = "every-" + every.toMinutes();
      all += "---\n" + feed(added);
      source.now(all, "1");
      var changedAt = time.clock().instant();

      while (!written(added)) {
        time.advance(every);
        run(source, WriteMode.LIVE);
      }

      assertThat(Duration.between(changedAt, time.clock().instant()))
          .as("every " + every)
          .isLessThan(Duration.ofHours(1).plus(every));
    }
  }

  @Test
  void isRecordedAnewOnceAnHour() {
    run(feed("a"));
    var updates = memory.updates();

    for (int minute = 0; minute < 120; minute += 5) {
      time.advance(Duration.ofMinutes(5));
      run(feed("a"));
    }

    assertThat(memory.updates()).isEqualTo(updates + 2);
    assertThat(memory.load().state().agreement())
        .hasValueSatisfying(on ->
            assertThat(on.at()).isEqualTo(time.clock().instant().truncatedTo(ChronoUnit.SECONDS)));
  }

  @Test
  void isNotTrustedWhereItWasRecordedInTheFuture() {
    var source = new VersionedSource(feed("a"));
    time.advance(Duration.ofDays(2));
    run(source, WriteMode.LIVE);
    time.advance(Duration.ofDays(-1));
    source.now(feed("b"), "1");

    run(source, WriteMode.LIVE);

    assertThat(written("b")).isTrue();
  }

  /// Of an apply under our name managed fields show nothing: the generation alone moves.
  @Test
  void endsWhereAnApplyUnderOurNameChangedAPolicy() {
    run(feed("a"));
    var before = store.contents();
    alterAsUs("Enforce");
    assertThat(store.contents()).isNotEqualTo(before);

    var result = (SyncResult.Finished) run(feed("a"));
    var next = (SyncResult.Finished) run(feed("a"));

    assertThat(result.outcomes()).hasSize(1);
    assertThat(result.outcomes().getFirst().action().cause()).isEqualTo(Action.Cause.DRIFTED);
    assertThat(store.contents()).isEqualTo(before);
    assertThat(next.outcomes()).isEmpty();
    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void isRecordedAnewWhereAPolicyChangedAndChangedBack() {
    run(feed("a"));
    alterAsUs("Enforce");
    alterAsUs("Audit");
    var updates = memory.updates();

    var result = (SyncResult.Finished) run(feed("a"));
    run(feed("a"));

    assertThat(result.outcomes()).isEmpty();
    assertThat(memory.updates()).isEqualTo(updates + 1);
    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void isNotReachedWhileAChangedPolicyCannotBeCompared() {
    run(feed("a"));
    alterAsUs("Enforce");
    store.failPreviews(Optional.of(new Failure(Failure.Cause.OVERLOADED, "busy")));
    run(feed("a"));
    store.failPreviews(Optional.empty());

    var result = (SyncResult.Finished) run(feed("a"));

    assertThat(result.outcomes()).hasSize(1);
  }

  @Test
  void isNotReachedWhileARepairOfAnAlteredPolicyIsRefused() {
    run(feed("a"));
    var before = store.contents();
    alterAsUs("Enforce");
    store.refuse(clusterPolicyId("a"), new Failure(Failure.Cause.DENIED, "no"));
    run(feed("a"));
    store.allow(clusterPolicyId("a"));

    run(feed("a"));

    assertThat(store.contents()).isEqualTo(before);
  }

  /// Otherwise all policies of the kind would be compared by dry runs once its list is back.
  @Test
  void keepsTheGenerationsOfAKindThatCannotBeListed() {
    run(feed("a"));
    var known = memory.load().state().knownGenerations();
    var passing = new Failure(Failure.Cause.OVERLOADED, "busy");

    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(passing));
    run(feed("a"));

    assertThat(memory.load().state().knownGenerations()).isEqualTo(known);
  }

  @Test
  void keepsTheGenerationsOfWhatAFeedWithholdsForAWhile() {
    var all = feed("a") + "---\n" + feed("b") + "---\n" + feed("c") + "---\n" + feed("d");
    run(all);
    var known = memory.load().state().knownGenerations();

    run(feed("a"));

    assertThat(known.hashes()).hasSize(4);
    assertThat(memory.load().state().knownGenerations()).isEqualTo(known);
  }

  /// A run later, this would be a write to the Lease where nothing else is to be written.
  @Test
  void forgetsTheGenerationOfAPolicyThatIsGoneInTheRunThatCreatesItAnew() {
    run(feed("a"));
    var known = memory.load().state().knownGenerations();

    store.remove(clusterPolicyId("a"));
    run(feed("a"));

    assertThat(memory.load().state().knownGenerations().hashes())
        .hasSize(1)
        .isNotEqualTo(known.hashes());
  }

  /// What a run lists at its end is not what it compared.
  @Test
  void isNotReachedWhereAnotherPolicyWasAlteredWhileTheRunWrote() {
    run(feed("a"));
    var before = store.read(clusterPolicyId("a")).orElseThrow().mapping("spec");
    store.beforeEachWrite(action -> {
      if (action.id().equals(clusterPolicyId("b"))) {
        alterAsUs("Enforce");
      }
    });
    run(feed("a") + "---\n" + feed("b"));
    store.beforeEachWrite(_ -> {});
    assertThat(agreement()).isEmpty();

    run(feed("a") + "---\n" + feed("b"));

    assertThat(store.read(clusterPolicyId("a")).orElseThrow().mapping("spec")).isEqualTo(before);
  }

  @Test
  void believesAPolicyOfWhichNoGenerationIsKnown() {
    run(feed("a"));
    alterAsUs("Enforce");
    memory.update(there -> there.withKnownGenerations(KnownGenerations.NONE));

    var result = (SyncResult.Finished) run(feed("a"));

    assertThat(result.outcomes()).isEmpty();
    assertThat(memory.load().state().knownGenerations().isEmpty()).isFalse();
  }

  private void alterAsUs(String action) {
    var object = store.read(clusterPolicyId("a")).orElseThrow();
    var metadata = object.mapping("metadata");
    for (var own : List.of("uid", "generation", "resourceVersion")) {
      metadata = metadata.without(own);
    }
    var spec = object.mapping("spec").without("background").with("validationFailureAction", action);
    store.applyAsUs(
        CanonicalJson.write(
            object.without("status").with("metadata", metadata).with("spec", spec)));
  }

  @Test
  void holdsForPoliciesThatNothingExecutesWithoutKyverno() {
    run(feed("a"));
    health = new KyvernoHealth.NotRunning("Kyverno is not running: gone");

    var without = run(feed("a"));
    health = new KyvernoHealth.Running("kyverno", Duration.ZERO);
    var with = run(feed("a"));

    assertThat(((SyncResult.Finished) without).notInForce())
        .containsExactly(
            new NotInForce(
                clusterPolicyId("a"), NotInForce.Cause.NO_KYVERNO, "Kyverno is not running: gone"));
    assertThat(notInForce(with)).isEmpty();
    assertThat(agreement()).isEqualTo(now(feed("a")));
  }

  @Test
  void saysThatAWrittenPolicyIsNotInForceWithoutKyverno() {
    health = new KyvernoHealth.NotRunning("Kyverno is not running: gone");

    assertThat(notInForce(run(feed("a")))).containsExactly(clusterPolicyId("a"));
  }

  @Test
  void warnsWhereNobodyKnowsWhetherKyvernoRuns() {
    run(feed("a"));
    health = new KyvernoHealth.Unknown("RBAC");

    var result = (SyncResult.Finished) run(feed("a"));

    assertThat(result.notInForce()).isEmpty();
    assertThat(result.remarks()).containsExactly("whether Kyverno is running is unknown: RBAC");
  }

  @Test
  void readsTheFeedOfADryRunInAnyCase() {
    var source = new VersionedSource(feed("a"));
    run(source, WriteMode.LIVE);
    var read = source.read;

    run(source, WriteMode.DRY_RUN);

    assertThat(source.read).isEqualTo(read + 1);
  }

  private boolean written(String name) {
    return store.find(clusterPolicyId(name)).isPresent();
  }

  private Optional<InSyncFingerprint> agreement() {
    return memory.load().state().agreement().map(Agreement::fingerprint);
  }

  private Optional<InSyncFingerprint> now(String feed) {
    return InSyncFingerprint.current(
        Digest.of(feed.getBytes(UTF_8)), store.list(), RULES, "0.1.0", Set.of());
  }

  private void agree(String feed) {
    memory.update(there ->
        there.withAgreement(
            there
                .agreement()
                .map(on ->
                    new Agreement(
                        now(feed).orElseThrow(), Optional.empty(), on.served(), on.at()))));
  }

  private SyncResult run(String feed) {
    return run(() -> List.of(new Manifest("feed", feed.getBytes(UTF_8))), WriteMode.LIVE);
  }

  private SyncResult run(PolicySource source, WriteMode writeMode) {
    var sink = new FakeStatusSink(statuses -> apiListens ? List.of() : statuses);
    return new Synchronizer(
            new SyncPorts(
                source,
                store,
                new FakeSyncLock(lease, "run", time),
                memory,
                Optional.of(sink),
                EventSink.NONE,
                PolicyLinter.NONE,
                ViolationSource.UNKNOWN,
                new Release(),
                new Conversions.Off()),
            new SyncOptions(
                RULES, writeMode, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), time::nanoTime),
            time.clock(),
            Progress.NONE)
        .run();
  }

  private static List<PolicyId> notInForce(SyncResult result) {
    return ((SyncResult.Finished) result).notInForce().stream().map(NotInForce::id).toList();
  }

  /// A feed with a version, as it is now.
  private static final class VersionedSource implements PolicySource {
    private String feed;
    private FeedVersion version = new FeedVersion("https://api.example.com", "1");
    private int read;

    VersionedSource(String feed) {
      this.feed = feed;
    }

    void now(String other, String entityTag) {
      feed = other;
      version = new FeedVersion(version.url(), entityTag);
    }

    @Override
    public List<Manifest> read() {
      return feed().manifests();
    }

    @Override
    public Feed feed() {
      read++;
      var manifests = List.of(new Manifest("feed", feed.getBytes(UTF_8)));
      return new Feed(manifests, Digest.ofAll(manifests), Optional.of(version));
    }

    @Override
    public Optional<Feed> feedUnless(Supplier<Optional<Feed.Known>> known) {
      return known.get().flatMap(Feed.Known::version).equals(Optional.of(version))
          ? Optional.empty()
          : Optional.of(feed());
    }
  }

  private final class Release implements ExecutionSource {
    @Override
    public Optional<NotReady> notReady(PolicyId id) {
      return Optional.empty();
    }

    @Override
    public Optional<KyvernoVersion> installed() {
      releaseAsked.incrementAndGet();
      return installed;
    }

    @Override
    public KyvernoHealth health() {
      return health;
    }
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
