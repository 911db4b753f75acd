package dev.policysync.remote.cluster.lease;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.ownedBefore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.RunState;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.RunStateStoreContract;
import dev.policysync.sync.StatusBacklog;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The memory's contract on a real Lease, and what only a real one has.
@RealCluster
class LeaseRunStateStoreIT extends RunStateStoreContract {
  private static final String APPROVAL = "policysync.dev/approve-removals";

  private Sandbox sandbox;
  private String namespace;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("agent");
  }

  @Test
  void writesNothingWhereNothingChanges() {
    memory().update(there -> there.withRemovals(ownedBefore(7)));
    var before = lease();

    memory().update(there -> there.withRemovals(ownedBefore(7)));

    assertThat(lease()).isEqualTo(before);
  }

  @Test
  void leavesNoAnnotationWhereThereIsNothingToRemember() {
    memory().update(there -> there.withRemovals(ownedBefore(7)));
    memory().update(_ -> RunState.NONE);

    assertThat(annotations().fields()).isEmpty();
  }

  @Test
  void leavesTheHolderAndTheNotesOfOthersAlone() {
    var time = new FakeTime();
    var connection = sandbox.cluster().connect(sandbox.cluster().adminToken());
    var lock = new LeaseLock(connection, namespace, "a", time.clock(), new FakeTicker(time));
    var held = ((SyncLock.Attempt.Taken) lock.acquire(Duration.ZERO)).lock();
    merge("{metadata: {annotations: {note: of somebody}}}");

    memory().update(there -> there.withRemovals(ownedBefore(7)));
    ((HeldLease) held).renew();

    assertThat(held.stillOurs()).isTrue();
    assertThat(annotations().text("note")).contains("of somebody");
    assertThat(memory().load().state().removals().ownedBefore()).contains(7);
    held.close();
    assertThat(lease().mapping("spec").text("holderIdentity")).contains("");
    assertThat(memory().load().state().removals().ownedBefore()).contains(7);
  }

  @Test
  void isGivenBackWithoutAConflictAfterStateWasNoted() {
    var time = new FakeTime();
    var connection = sandbox.cluster().connect(sandbox.cluster().adminToken());
    var lock = new LeaseLock(connection, namespace, "a", time.clock(), new FakeTicker(time));
    var log = sandbox.cluster().auditLog();
    try (var _ = ((SyncLock.Attempt.Taken) lock.acquire(Duration.ZERO)).lock()) {
      memory().update(there -> there.withRemovals(ownedBefore(7)));
    }

    assertThat(lease().mapping("spec").text("holderIdentity")).contains("");
    assertThat(log.entries())
        .filteredOn(entry -> entry.namespace().equals(namespace))
        .extracting(AuditLog.Entry::status)
        .contains(200)
        .doesNotContain(409);
  }

  @Test
  void knowsTheAgeOfAnApprovalAgainOnceItNotedSomethingOnALeaseWithoutManagedFields() {
    approve("sha256:abc");
    wipeManagedFields();

    memory().update(there -> there.withRemovals(ownedBefore(7)));
    approve("sha256:def");

    var approval = memory().load().approval().orElseThrow();
    assertThat(approval.list()).isEqualTo("sha256:def");
    assertThat(approval.age().orElseThrow()).isBetween(Duration.ZERO, Approval.VALID);
  }

  @Test
  void takesAnApprovalForVoidWhereNothingTellsWhenItWasGiven() {
    approve("sha256:abc");
    wipeManagedFields();

    var approval = memory().load().approval();

    assertThat(approval)
        .contains(new Approval(Approval.Of.REMOVALS, "sha256:abc", Optional.empty()));
  }

  @Test
  void countsAnApprovalsAgeFromTheOldestOfItsOwners() {
    approve("sha256:abc");
    backdate(Duration.ofHours(25));

    var age = memory().load().approval().orElseThrow().age().orElseThrow();

    assertThat(age).isBetween(Duration.ofHours(25), Duration.ofHours(25).plusMinutes(5));
  }

  @Test
  void makesAnApprovalNoYoungerByAnotherAnnotationOfTheSameManager() {
    approve("sha256:abc");
    givenAgo(Duration.ofHours(23));
    memory().noteApprovals();

    merge("{metadata: {annotations: {note: of the same person}}}");
    var stored = memory().load();

    assertThat(stored.approval().orElseThrow().age().orElseThrow())
        .isBetween(Duration.ofHours(23), Duration.ofHours(23).plusMinutes(5));
    assertThat(stored.approvalsNoted()).isTrue();
  }

  @Test
  void countsAnApprovalOfAnotherListAnew() {
    approve("sha256:abc");
    givenAgo(Duration.ofHours(23));
    memory().noteApprovals();

    approve("sha256:def");

    assertThat(memory().load().approval().orElseThrow().age().orElseThrow())
        .isLessThan(Duration.ofMinutes(5));
    assertThat(memory().load().approvalsNoted()).isFalse();
  }

  @Test
  void takesAwayWhatIsVoidSoThatItCanBeApprovedAgain() {
    approve("sha256:abc");
    givenAgo(Duration.ofHours(25));

    memory().noteApprovals();
    var gone = memory().load();
    approve("sha256:abc");
    var again = memory().load();

    assertThat(gone.approval()).isEmpty();
    assertThat(gone.approvalsNoted()).isTrue();
    assertThat(again.approval().orElseThrow().age().orElseThrow())
        .isLessThan(Duration.ofMinutes(5));
  }

  @Test
  void forgetsSinceWhenAnApprovalWasThereThatIsGone() {
    approve("sha256:abc");
    memory().noteApprovals();
    merge("{metadata: {annotations: {" + APPROVAL + ": null}}}");

    assertThat(memory().load().approvalsNoted()).isFalse();
    memory().noteApprovals();

    assertThat(annotations().fields()).isEmpty();
  }

  @Test
  void leavesNothingOfAnApprovalThatWasUsed() {
    approve("sha256:abc");
    memory().noteApprovals();

    var used = memory().use(memory().load().approval().orElseThrow());

    assertThat(used).isTrue();
    assertThat(annotations().fields()).isEmpty();
  }

  @Test
  void startsAnewWhereAPersonSpoiltItsNotes() {
    memory().update(there -> there.withRemovals(ownedBefore(7)));
    for (var spoilt :
        List.of(
            "{",
            "[]",
            "nonsense",
            "{\"ownedBefore\": \"x\"}",
            "{\"repairs\": [{\"last\": 1}]}",
            "{\"statuses\": [{\"unsent\": [{\"at\": \"noon\"}]}]}",
            "{\"ownedBefore\": 1.5}")) {
      merge("{metadata: {annotations: {policysync.dev/memory: '" + spoilt + "'}}}");

      var runState = memory().load().state();
      assertThat(runState.withRemovals(RemovalHistory.NONE)).as(spoilt).isEqualTo(RunState.NONE);
      assertThat(runState.removals().unreadable()).as(spoilt).isNotEmpty();
    }
  }

  @Test
  void forgetsTheOldestStatusesWhereTheLeaseCannotHoldThemAll() {
    var unsent = new ArrayList<PolicyStatus>();
    for (int i = 0; i < 9_000; i++) {
      var id = PolicyId.of(PolicyKind.CLUSTER_POLICY, "policy-with-quite-a-long-name-" + i);
      unsent.add(
          new PolicyStatus(
              id.name(),
              Operation.APPLY,
              i % 10 > 0,
              Instant.EPOCH,
              "why ".repeat(500),
              List.of(id)));
    }

    memory()
        .update(_ ->
            RunState.NONE
                .withRemovals(ownedBefore(9))
                .withBacklogs(
                    List.of(new StatusBacklog(SOURCE, new TreeSet<>(), unsent, new TreeMap<>()))));

    var noted = memory().load().state();
    assertThat(noted.removals().ownedBefore()).contains(9);
    assertThat(noted.backlog(SOURCE).unsent())
        .hasSizeGreaterThan(3_000)
        .allMatch(PolicyStatus::success);
    assertThat(noted.backlog(SOURCE).unsent().getLast().name())
        .isEqualTo("policy-with-quite-a-long-name-8999");
  }

  @Test
  void namesTheVerbThatIsMissing() {
    var reader =
        sandbox.tokenOf(
            "reader", new Sandbox.Rule("coordination.k8s.io", List.of("leases"), List.of("get")));

    assertThatExceptionOfType(ClusterUnavailable.class)
        .isThrownBy(() -> memory(reader).update(there -> there.withRemovals(ownedBefore(1))))
        .satisfies(e ->
            assertThat(e.failure().reason())
                .isEqualTo(
                    "record state on the Lease "
                        + namespace
                        + "/kyverno-policy-sync-lock: HTTP 403; add the verb create on"
                        + " leases.coordination.k8s.io to the agent's Role in"
                        + " namespace "
                        + namespace));
  }

  @Test
  void tellsTheCommandThatApproves() {
    var digest = Digest.of(Value.Mapping.EMPTY);
    var memory =
        new LeaseRunStateStore(
            sandbox.cluster().connect(sandbox.cluster().adminToken()),
            "agents",
            Optional.of("prod (eu)"));

    assertThat(memory.commandToApprove(Approval.Of.REMOVALS, digest))
        .isEqualTo(
            "kubectl annotate lease kyverno-policy-sync-lock --context='prod (eu)'"
                + " --namespace=agents --overwrite policysync.dev/approve-removals="
                + digest);
  }

  @Override
  protected RunStateStore memory() {
    return memory(sandbox.cluster().adminToken());
  }

  @Override
  protected void approve(Approval.Of what, String list) {
    if (sandbox.admin().get(path()).status() == 404) {
      memory().update(there -> there.withRemovals(ownedBefore(1)));
      memory().update(_ -> RunState.NONE);
    }
    merge("{metadata: {annotations: {" + ApprovalAnnotations.name(what) + ": '" + list + "'}}}");
  }

  private RunStateStore memory(String token) {
    return new LeaseRunStateStore(sandbox.cluster().connect(token), namespace, Optional.empty());
  }

  /// The API server keeps no record of who writes an object that has none.
  private void wipeManagedFields() {
    var nobody = "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]";
    sandbox.admin().jsonPatch(path(), nobody).ok();
  }

  /// Makes the API server's record of an annotation older than it is. A change of times alone would
  /// be ignored, so the writers get other names too.
  private void backdate(Duration age) {
    var lease = lease();
    var then = Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString();
    List<Value> entries =
        lease.mapping("metadata").items("managedFields").stream()
            .map(Value.Mapping.class::cast)
            .<Value>map(entry ->
                entry
                    .with("time", then)
                    .with("manager", entry.text("manager").orElse("") + "-once"))
            .toList();
    var metadata = lease.mapping("metadata").with("managedFields", new Value.Sequence(entries));
    sandbox.admin().put(path(), lease.with("metadata", metadata)).ok();
  }

  /// Makes the API server's record of the approval older, in the name of the same manager; a change
  /// of times alone would be ignored, so the change of the name is undone by another.
  private void givenAgo(Duration age) {
    backdate(age);
    rename("kubectl-annotate-once", "kubectl-annotate", age);
  }

  private void rename(String from, String to, Duration age) {
    var lease = lease();
    var then = Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString();
    List<Value> entries =
        lease.mapping("metadata").items("managedFields").stream()
            .map(Value.Mapping.class::cast)
            .<Value>map(entry ->
                entry.text("manager").orElse("").equals(from)
                    ? entry.with("manager", to).with("time", then)
                    : entry)
            .toList();
    var metadata = lease.mapping("metadata").with("managedFields", new Value.Sequence(entries));
    sandbox.admin().put(path(), lease.with("metadata", metadata)).ok();
  }

  private void merge(String patch) {
    sandbox.admin().merge(path() + "?fieldManager=kubectl-annotate", Documents.yaml(patch)).ok();
  }

  private Value.Mapping annotations() {
    return lease().mapping("metadata").mapping("annotations");
  }

  private Value.Mapping lease() {
    return sandbox.admin().get(path()).ok();
  }

  private String path() {
    return "/apis/coordination.k8s.io/v1/namespaces/"
        + namespace
        + "/leases/kyverno-policy-sync-lock";
  }
}
