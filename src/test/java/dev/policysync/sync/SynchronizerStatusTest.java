package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.plan.Adoption;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the remote API and the cluster's events are told over several runs: only what a run saw
/// (promise 12), and what lasts only once (promise 7).
class SynchronizerStatusTest {
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Failure EXPIRED =
      new Failure(Failure.Cause.OVERLOADED, "list ClusterPolicy: HTTP 410, Expired");
  private static final String TAKEN =
      "an object of this name exists and is not managed by policy-sync; set ADOPT=always to take"
          + " it over, or ADOPT=identical if only the policy-sync annotations would change";

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final List<PolicyStatus> told = new ArrayList<>();
  private final List<PolicyEvent> events = new ArrayList<>();
  private SourceName source = SOURCE;
  private boolean apiListens = true;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "annotations: {policysync.dev/reconcile: disabled}",
        "annotations: {policysync.dev/prune: disabled}",
        "annotations: {policysync.dev/source: acme/another}",
        "annotations: {policysync.dev/applied: 'ClusterPolicy.kyverno.io/x@sha256:0'}"
      })
  void callsNothingRemovedThatIsListed(String change) {
    run("a", "stays");
    failsToUpdate("a");
    store.edit(clusterPolicyId("a"), "metadata: {" + change + "}");
    told.clear();

    run("stays");
    run("stays");

    assertThat(told()).isEmpty();

    store.remove(clusterPolicyId("a"));
    run("stays");

    assertThat(told()).containsExactly("a delete success");
  }

  @Test
  void saysNothingMoreOfWhatWasDetached() {
    run("a", "stays");
    failsToUpdate("a");
    store.edit(
        clusterPolicyId("a"), "metadata: {annotations: {insights.fairwinds.com/owned-by: null}}");
    told.clear();

    run("stays");
    var left = memory.load().state().backlog(SOURCE);
    store.remove(clusterPolicyId("a"));
    run("stays");

    assertThat(left.isEmpty()).isTrue();
    assertThat(told()).isEmpty();
  }

  @Test
  void callsNothingRemovedThatWaitsForAFinalizer() {
    run("a", "stays");
    store.edit(clusterPolicyId("a"), "metadata: {finalizers: [people.example/wait]}");
    run("stays");
    assertThat(told()).endsWith("a delete failed");
    told.clear();

    run("stays");

    assertThat(told()).isEmpty();

    store.edit(clusterPolicyId("a"), "metadata: {finalizers: null}");
    run("stays");

    assertThat(told()).containsExactly("a delete success");
  }

  @Test
  void callsNothingRemovedOfAKindThatIsNotListed() {
    run("a");
    failsToUpdate("a");
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Excluded());
    told.clear();

    run();
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Absent("it is only served as v9"));
    run();

    assertThat(told()).isEmpty();
  }

  @Test
  void callsNoNameRemovedOfWhichAnotherPolicyStays() {
    runDocuments(document("a"), policy("a"), document("stays"));
    store.edit(clusterPolicyId("a"), "metadata: {annotations: {policysync.dev/prune: disabled}}");
    told.clear();

    run("stays");

    assertThat(store.contents()).hasSize(2);
    assertThat(told()).isEmpty();

    store.remove(clusterPolicyId("a"));
    run("stays");

    assertThat(told()).containsExactly("a delete success");
  }

  /// A policy of that name may be in the kind whose list fails.
  @Test
  void callsNoNameRemovedWhileAListFailsForTheMoment() {
    runDocuments(document("a"), policy("a"), policy("stays"));
    store.edit(clusterPolicyId("a"), "metadata: {annotations: {policysync.dev/prune: disabled}}");
    runDocuments(policy("stays"));
    told.clear();

    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(EXPIRED));
    runDocuments(policy("stays"));
    store.list(PolicyKind.CLUSTER_POLICY);
    runDocuments(policy("stays"));

    assertThat(told()).isEmpty();

    store.remove(clusterPolicyId("a"));
    runDocuments(policy("stays"));

    assertThat(told()).containsExactly("a delete success");
  }

  @Test
  void tellsOfAConflictOnce() {
    store.create(document("a"));

    run("a", "b");
    run("a", "b");
    var updates = memory.updates();
    run("a", "b");

    assertThat(told()).containsExactlyInAnyOrder("a apply failed", "b apply success");
    assertThat(told.getFirst().output()).isEqualTo("ClusterPolicy/a: " + TAKEN);
    assertThat(memory.updates()).isEqualTo(updates);
    assertThat(events)
        .filteredOn(event -> event.reason() == PolicyEvent.Reason.POLICY_CONFLICT)
        .allMatch(event -> event.reason().warning() && event.reason().lasts())
        .extracting(PolicyEvent::note)
        .containsOnly("ClusterPolicy/a: " + TAKEN);
  }

  @Test
  void tellsOfAConflictAgainForAnotherReason() {
    store.create(document("a"));
    run("a");
    store.edit(
        clusterPolicyId("a"),
        "metadata: {annotations: {insights.fairwinds.com/owned-by: Fairwinds Insights,"
            + " policysync.dev/source: acme/another}}");

    run("a");
    run("a");

    assertThat(told()).containsExactly("a apply failed", "a apply failed");
    assertThat(told.getLast().output()).contains("applied by another source, acme/another");
  }

  @Test
  void tellsOfAConflictThatTheApiDidNotTake() {
    store.create(document("a"));
    apiListens = false;
    run("a");
    apiListens = true;

    run("a");
    run("a");

    assertThat(told()).containsExactly("a apply failed");
  }

  @Test
  void tellsOfNoConflictAgainOnceItsKindIsListedAgain() {
    store.create(document("a"));
    run("a");
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(EXPIRED));
    run("a");
    store.list(PolicyKind.CLUSTER_POLICY);

    run("a");

    assertThat(told()).containsExactly("a apply failed");
  }

  @Test
  void sendsNoRemovalThatTheApiDidNotTakeOnceThePolicyIsThereAgain() {
    run("a", "stays");
    apiListens = false;
    run("stays");
    apiListens = true;
    told.clear();
    store.create(document("a"));
    store.edit(
        clusterPolicyId("a"),
        "metadata: {annotations: {insights.fairwinds.com/owned-by: Fairwinds Insights,"
            + " policysync.dev/reconcile: disabled}}");

    run("stays");

    assertThat(told()).isEmpty();

    store.remove(clusterPolicyId("a"));
    run("stays");
    run("stays");

    assertThat(told()).containsExactly("a delete success");
  }

  @Test
  void tellsHowAConflictEnds() {
    run("a");
    store.edit(clusterPolicyId("a"), "metadata: {annotations: {policysync.dev/source: acme/b}}");
    run("a");
    store.edit(
        clusterPolicyId("a"), "metadata: {annotations: {policysync.dev/source: " + source + "}}");
    told.clear();

    run("a");
    run("a");

    assertThat(told()).containsExactly("a apply success");
  }

  @Test
  void tellsOfAConflictBesideWhatWasAppliedUnderItsName() {
    store.create(document("a"));
    runDocuments(document("a"), policy("a"));
    runDocuments(document("a"), policy("a"));
    runDocuments(document("a"), policy("a").replace("Audit", "Enforce"));

    assertThat(told()).containsExactly("a apply failed", "a apply failed");
    assertThat(told.getLast().policies()).hasSize(2);
  }

  @Test
  void tellsNoOtherOrganizationWhatItLeftToTell() {
    apiListens = false;
    run("a", "gone");
    run("a");
    apiListens = true;
    source = SourceName.of("other", "prod-1");

    run("a");

    assertThat(told()).containsExactly("a apply failed");
    assertThat(told.getFirst().output()).contains("applied by another source, " + SOURCE);

    source = SOURCE;
    told.clear();
    run("a");

    assertThat(told()).containsExactlyInAnyOrder("a apply success", "gone delete success");
  }

  @Test
  void forgetsNothingOfASourceThatComesBack() {
    run("a");
    failsToUpdate("a");
    source = SourceName.of("typo", "prod-1");
    run("a");
    source = SOURCE;
    told.clear();

    run("a");

    assertThat(told()).containsExactly("a apply success");
  }

  @Test
  void tellsOfAListThatFailsAsOneErrorAndOfNoPolicy() {
    var names = IntStream.range(0, 50).mapToObj(i -> "p" + i).toArray(String[]::new);
    run(names);
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(EXPIRED));
    told.clear();
    events.clear();

    var summary = Summary.of(run(names), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);

    assertThat(summary.status()).isEqualTo(Summary.RunStatus.FAILED);
    assertThat(summary.writes().failed())
        .containsExactly(
            new Summary.Problem(
                Optional.of("ClusterPolicy"),
                Optional.empty(),
                "this kind is not synced: list ClusterPolicy: HTTP 410, Expired; its 50 policies"
                    + " in the feed were not compared",
                true));
    assertThat(events)
        .singleElement()
        .matches(event -> event.note().startsWith("ClusterPolicy: this kind is not synced"));

    store.list(PolicyKind.CLUSTER_POLICY);
    run(names);

    assertThat(told()).isEmpty();
  }

  @Test
  void tellsOfEachPolicyOfAKindThatItMayNotList() {
    var forbidden = new Failure(Failure.Cause.FORBIDDEN, "list ClusterPolicy: HTTP 403");
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(forbidden));

    run("a", "b");

    assertThat(told()).containsExactlyInAnyOrder("a apply failed", "b apply failed");
  }

  @Test
  void tellsOfTheEndOfAFailureThoughTheRunThatToldOfItWasKilled() {
    run("a");
    var forbidden = new Failure(Failure.Cause.FORBIDDEN, "list ClusterPolicy: HTTP 403");
    store.list(PolicyKind.CLUSTER_POLICY, new Listing.Unlistable(forbidden));
    isKilledOnceItTold("a apply failed", "a");

    store.list(PolicyKind.CLUSTER_POLICY);
    run("a");

    assertThat(told()).containsExactly("a apply success");
  }

  @Test
  void tellsOfTheEndOfAConflictThoughTheRunThatToldOfItWasKilled() {
    run("stays");
    store.create(document("a"));
    isKilledOnceItTold("a apply failed", "a", "stays");

    store.remove(clusterPolicyId("a"));
    run("stays");
    run("stays");

    assertThat(told()).containsExactly("a delete success");
  }

  private void isKilledOnceItTold(String status, String... names) {
    told.clear();
    killOnceItTold();
    assertThatThrownBy(() -> run(names)).hasStackTraceContaining("killed");
    memory.beforeUpdate(() -> {});
    lease.seize("");
    assertThat(told()).containsExactly(status);
    told.clear();
  }

  private void killOnceItTold() {
    memory.beforeUpdate(() -> {
      if (!told.isEmpty()) {
        throw new IllegalStateException("killed");
      }
      killOnceItTold();
    });
  }

  /// The feed wants the policy otherwise, which is refused, and then as it was.
  private void failsToUpdate(String name) {
    store.refuse(clusterPolicyId(name), DENIED);
    runDocuments(document(name).replace("Audit", "Enforce"), document("stays"));
    store.allow(clusterPolicyId(name));
    assertThat(told()).contains(name + " apply failed");
  }

  private List<String> told() {
    return told.stream()
        .map(status ->
            status.name()
                + " "
                + status.operation().name().toLowerCase(Locale.ROOT)
                + (status.success() ? " success" : " failed"))
        .toList();
  }

  private SyncResult run(String... names) {
    return runDocuments(
        Arrays.stream(names).map(SynchronizerStatusTest::document).toArray(String[]::new));
  }

  private SyncResult runDocuments(String... documents) {
    time.advance(Duration.ofMinutes(15));
    var feed = Arrays.stream(documents).collect(Collectors.joining("---\n"));
    var manifest = new Manifest("feed", feed.getBytes(StandardCharsets.UTF_8));
    return new Synchronizer(
            new SyncPorts(
                () -> List.of(manifest),
                store,
                new FakeSyncLock(lease, "run", time),
                memory,
                Optional.of(new FakeStatusSink(this::tell)),
                this::write),
            new SyncOptions(
                new PlannerOptions(source, Adoption.NEVER, new RemovalBudget.Count(9)),
                WriteMode.LIVE,
                false,
                1,
                Duration.ofSeconds(65),
                "0.1.0",
                Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), time::nanoTime),
            time.clock(),
            Progress.NONE)
        .run();
  }

  private List<PolicyStatus> tell(List<PolicyStatus> statuses) {
    if (apiListens) {
      told.addAll(statuses);
    }
    return apiListens ? List.of() : statuses;
  }

  private Optional<String> write(List<PolicyEvent> now) {
    events.addAll(now);
    return Optional.empty();
  }

  private static String document(String name) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec: {validationFailureAction: Audit, rules: [{name: team}]}
    """
        .formatted(name);
  }

  private static String policy(String name) {
    return document(name)
        .replace("kind: ClusterPolicy", "kind: Policy")
        .replace("{name: " + name + "}", "{name: " + name + ", namespace: shop}");
  }
}
