package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.SyncLock.Attempt;
import dev.policysync.sync.SyncLockContract;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The lock's contract on a real Lease, and what only a real one has.
@RealCluster
class LeaseLockIT extends SyncLockContract {
  private static final String LONG_AGO =
      """
      spec:
        holderIdentity: other
        leaseDurationSeconds: 60
        renewTime: "2001-01-01T00:00:00.000000Z"
        leaseTransitions: 3
      """;

  private Sandbox sandbox;
  private String namespace;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("agent");
  }

  @Test
  void recordsWhoHoldsItAndForHowLong() {
    var attempt = lock("pod-1").acquire(Duration.ZERO);

    taken(attempt);
    assertThat(record())
        .isEqualTo(
            Documents.yaml(
                """
                holderIdentity: pod-1
                leaseDurationSeconds: 60
                acquireTime: "2026-11-21T03:00:00.123456Z"
                renewTime: "2026-11-21T03:00:00.123456Z"
                leaseTransitions: 0
                """));
  }

  @Test
  void countsEachChangeOfHands() {
    taken(lock("a").acquire(Duration.ZERO)).close();
    taken(lock("b").acquire(Duration.ZERO)).close();

    var attempt = lock("c").acquire(Duration.ZERO);

    taken(attempt);
    assertThat(record().field("leaseTransitions")).contains(new Value.Numeric("2"));
  }

  @Test
  void believesARecordsOwnDuration() {
    create("spec: {holderIdentity: other, leaseDurationSeconds: 2}");
    var begin = time.nanoTime();

    var attempt = lock("a").acquire(Duration.ofSeconds(5));

    taken(attempt);
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void givesARecordWithoutADurationAsLongAsItsOwn() {
    create("spec: {holderIdentity: other}");
    var begin = time.nanoTime();

    var attempt = lock("a").acquire(Duration.ofSeconds(65));

    taken(attempt);
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void believesNoClockOfAnotherMachine() {
    create(
        """
        spec:
          holderIdentity: other
          leaseDurationSeconds: 60
          renewTime: "2001-01-01T00:00:00.000000Z"
        """);

    var attempt = lock("a").acquire(Duration.ofSeconds(30));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("other", Attempt.HeldBy::holder);
  }

  @Test
  void takesWhatWasLeftBehindLongAgoAtOnce() {
    create(LONG_AGO);
    AgedLease.written(sandbox.admin(), path(), Duration.ofMinutes(10));

    var attempt = today("a").acquire(Duration.ZERO);

    taken(attempt);
    assertThat(holder()).isEqualTo("a");
    assertThat(record().field("leaseTransitions")).contains(new Value.Numeric("4"));
  }

  @Test
  void believesARunThatTookTheLeaseJustNow() {
    taken(today("a").acquire(Duration.ZERO));

    var attempt = today("b").acquire(Duration.ofSeconds(10));

    assertThat(attempt).isEqualTo(new Attempt.HeldBy("a"));
  }

  @Test
  void believesNoRunThatHasHadTheLeaseForLongerThanAnyTakesHoweverOftenItIsRenewed() {
    var longAgo = Instant.now().minus(Duration.ofMinutes(31)).truncatedTo(ChronoUnit.SECONDS);
    create(
        """
        spec:
          holderIdentity: other
          leaseDurationSeconds: 60
          acquireTime: "%s"
          renewTime: "%s"
        """
            .formatted(AgedLease.microTime(longAgo), AgedLease.microTime(Instant.now())));

    var attempt = today("a").acquire(Duration.ofSeconds(10));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .extracting(held -> held.objection().orElse("none"))
        .asString()
        .contains("acquired at " + longAgo, "kubectl patch lease");
  }

  @Test
  void watchesAHolderWhoseClockIsFarBehindAndWhoRenewedJustNow() {
    create(LONG_AGO);

    var attempt = today("a").acquire(Duration.ofSeconds(30));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("other", Attempt.HeldBy::holder);
  }

  @Test
  void watchesALeaseOfLongAgoWhereItsOwnClockIsWrong() {
    create(LONG_AGO);
    AgedLease.written(sandbox.admin(), path(), Duration.ofMinutes(10));
    var wrong = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1));

    var attempt = lock("a", wrong).acquire(Duration.ofSeconds(30));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("other", Attempt.HeldBy::holder);
  }

  @Test
  void knowsARenewalOfItsOwnFromLongAgo() {
    taken(today("a").acquire(Duration.ZERO));
    var early = today("b").acquire(Duration.ZERO);
    AgedLease.age(sandbox.admin(), path(), Duration.ofMinutes(10));

    var late = today("b").acquire(Duration.ZERO);

    assertThat(early).asInstanceOf(type(Attempt.HeldBy.class)).returns("a", Attempt.HeldBy::holder);
    taken(late);
  }

  @Test
  void waitsNoLongerForALeaseThatNeverEnds() {
    create(
        """
        spec:
          holderIdentity: other
          leaseDurationSeconds: 2147483647
          renewTime: "2001-01-01T00:00:00.000000Z"
        """);
    AgedLease.written(sandbox.admin(), path(), Duration.ofDays(1));
    var begin = time.nanoTime();

    var attempt = today("a").acquire(Duration.ofSeconds(65));

    assertThat(attempt)
        .asInstanceOf(type(Attempt.HeldBy.class))
        .returns("other", Attempt.HeldBy::holder);
    assertThat(Duration.ofNanos(time.nanoTime() - begin)).isEqualTo(Duration.ofSeconds(65));
  }

  @Test
  void countsOnFromTheHighestNumberThereIs() {
    create("spec: {leaseTransitions: 2147483647}");

    var attempt = lock("a").acquire(Duration.ZERO);

    taken(attempt);
    assertThat(record().field("leaseTransitions")).contains(new Value.Numeric("1"));
  }

  @Test
  void takesALeaseThatHasNoRecordYet() {
    create("metadata: {labels: {made: by-hand}}");

    var attempt = lock("a").acquire(Duration.ZERO);

    taken(attempt);
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void staysOursWhenSomebodyAnnotatesTheLease() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    annotate();

    renew(held);
    annotate();
    var stillOurs = held.stillOurs();
    held.close();

    assertThat(stillOurs).isTrue();
    assertThat(holder()).isEmpty();
    assertThat(lease().mapping("metadata").mapping("annotations").text("note")).isPresent();
  }

  @Test
  void isNotOursAnyMoreWhenTheLeaseIsDeleted() {
    var held = taken(lock("a").acquire(Duration.ZERO));
    sandbox.admin().delete(path()).ok();

    renew(held);

    assertThat(held.stillOurs()).isFalse();
  }

  @Test
  void namesTheVerbsThatAreMissing() {
    var token =
        sandbox.tokenOf(
            "reader", new Sandbox.Rule("coordination.k8s.io", List.of("leases"), List.of("get")));

    var attempt = lock(token, namespace, "a").acquire(Duration.ZERO);

    assertThat(attempt)
        .isEqualTo(
            new Attempt.Unavailable(
                new Failure(
                    Failure.Cause.FORBIDDEN,
                    "acquire the Lease "
                        + namespace
                        + "/kyverno-policy-sync-lock: HTTP 403; add the verb create on"
                        + " leases.coordination.k8s.io to the agent's Role in"
                        + " namespace "
                        + namespace)));
  }

  @Test
  void namesTheNamespaceThatIsMissing() {
    var attempt = lock(sandbox.cluster().adminToken(), "nowhere", "a").acquire(Duration.ZERO);

    assertThat(attempt)
        .isEqualTo(
            new Attempt.Unavailable(
                new Failure(
                    Failure.Cause.NOT_FOUND,
                    "acquire the Lease nowhere/kyverno-policy-sync-lock: HTTP 404; create the"
                        + " namespace nowhere or set NAMESPACE to another one")));
  }

  @Test
  void saysThatItsNamespaceIsBeingDeleted() {
    var doomed = sandbox.namespace("doomed");
    sandbox.admin().delete("/api/v1/namespaces/" + doomed).ok(); // its controller does not run here

    var attempt = lock(sandbox.cluster().adminToken(), doomed, "a").acquire(Duration.ZERO);

    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.failure().retryable()).isTrue();
              assertThat(unavailable.failure().reason())
                  .startsWith("acquire the Lease " + doomed + "/kyverno-policy-sync-lock: HTTP 403")
                  .endsWith("; the namespace is being deleted: create it again once it is gone");
            });
  }

  @Override
  protected SyncLock lock(String identity) {
    return lock(sandbox.cluster().adminToken(), namespace, identity);
  }

  @Override
  protected void renew(SyncLock.Held held) {
    ((HeldLease) held).renew();
  }

  @Override
  protected void seize(String holder) {
    var spec = new Value.Mapping(Map.of("holderIdentity", new Value.Text(holder)));
    sandbox.admin().merge(path(), Value.Mapping.EMPTY.with("spec", spec)).ok();
  }

  @Override
  protected String holder() {
    return record().text("holderIdentity").orElse("");
  }

  /// A lock that knows what time of day it is.
  private SyncLock today(String identity) {
    return lock(identity, Clock.systemUTC());
  }

  private SyncLock lock(String identity, Clock clock) {
    return lock(sandbox.cluster().adminToken(), namespace, identity, clock);
  }

  private SyncLock lock(String token, String where, String identity) {
    return lock(token, where, identity, time.clock());
  }

  private SyncLock lock(String token, String where, String identity, Clock clock) {
    return new LeaseLock(
        sandbox.cluster().connect(token), where, identity, clock, new FakeTicker(time));
  }

  private void create(String lease) {
    var object = Documents.yaml(lease);
    var metadata = object.mapping("metadata").with("name", "kyverno-policy-sync-lock");
    sandbox.admin().post(collection(), object.with("metadata", metadata)).ok();
  }

  private void annotate() {
    sandbox
        .admin()
        .merge(
            path(), Documents.yaml("{metadata: {annotations: {note: '" + time.nanoTime() + "'}}}"))
        .ok();
    time.advance(Duration.ofSeconds(1));
  }

  private Value.Mapping record() {
    return lease().mapping("spec");
  }

  private Value.Mapping lease() {
    return sandbox.admin().get(path()).ok();
  }

  private String collection() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  private String path() {
    return collection() + "/kyverno-policy-sync-lock";
  }
}
