package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.ownedBefore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.execution.FailureHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every [RunStateStore] does, the real one and the fake.
public abstract class RunStateStoreContract {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final String LIST = Digest.of(Value.Mapping.EMPTY).text();
  private static final PolicyId TEAM = clusterPolicyId("team");
  private static final PolicyId SHOP = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "team");

  /// One of several that share what they remember.
  protected abstract RunStateStore memory();

  /// Lets a person approve that list.
  protected abstract void approve(Approval.Of what, String list);

  /// Lets a person approve that list of removals.
  protected final void approve(String list) {
    approve(Approval.Of.REMOVALS, list);
  }

  @Test
  void remembersNothingAtFirst() {
    assertThat(memory().load()).isEqualTo(RunStateStore.Stored.NOTHING);
  }

  @Test
  void remembersAllThatItIsTold() {
    var noted =
        new RunState(
            new RemovalHistory(
                Optional.of(20),
                Optional.of(new RemovalHistory.Withheld(5, NOW)),
                List.of(new RemovalHistory.Removed(NOW, 2, 22)),
                new TreeSet<>(Set.of("uid-1", "uid-2")),
                Optional.of(RemovalHistory.Gap.since(NOW)),
                Optional.of(new RemovalHistory.Deferred(NOW, new TreeSet<>(Set.of("uid-3")), NOW))),
            List.of(
                new StatusBacklog(
                    SourceName.of("acme", "before"),
                    new TreeSet<>(Set.of(TEAM)),
                    List.of(),
                    new TreeMap<>()),
                new StatusBacklog(
                    SOURCE,
                    new TreeSet<>(Set.of(TEAM, SHOP)),
                    List.of(
                        new PolicyStatus(
                            "half", Operation.APPLY, false, NOW, "feed, document 2: …", List.of()),
                        new PolicyStatus(
                            "team", Operation.APPLY, true, NOW, "", List.of(TEAM, SHOP)),
                        new PolicyStatus(
                            "gone",
                            Operation.DELETE,
                            true,
                            NOW,
                            "",
                            List.of(clusterPolicyId("gone")))),
                    new TreeMap<>(
                        Map.of(
                            clusterPolicyId("taken"), Digest.of(new byte[] {4}),
                            clusterPolicyId("also-taken"), Digest.of(new byte[] {4}),
                            clusterPolicyId("copy"), Digest.of(new byte[] {5}))))),
            new DriftHistory(
                Map.of(TEAM, new DriftHistory.Series(Set.of("argocd", "kubectl-edit"), 2, NOW))),
            Optional.of(
                new Agreement(
                    new InSyncFingerprint(Digest.of(new byte[] {1}), Digest.of(new byte[] {2})),
                    Optional.of(new FeedVersion("https://api.example.com/yaml", "W/\"33a6\"")),
                    Map.of(PolicyKind.CLUSTER_POLICY, "v1", PolicyKind.CEL_EXCEPTION, "v1beta1"),
                    NOW)),
            new FailureHistory(
                new TreeMap<>(
                    Map.of(
                        TEAM,
                        new FailureHistory.Streak(NOW, 7),
                        SHOP,
                        new FailureHistory.Streak(NOW, 7),
                        clusterPolicyId("new"),
                        new FailureHistory.Streak(NOW, 1)))),
            new FeedHistory(
                SOURCE,
                List.of(
                    new FeedHistory.Written(Digest.of(new byte[] {3}), NOW),
                    new FeedHistory.Written(Digest.of(new byte[] {1}), NOW)),
                Optional.of(new FeedHistory.Older(Digest.of(new byte[] {3}), NOW))),
            new KnownGenerations(new TreeSet<>(Set.of(Integer.MIN_VALUE, -1, 0, 7_000_000))),
            new RecentErrors(
                new TreeMap<>(
                    Map.of(
                        TEAM,
                        new RecentErrors.RecentError(NOW, "apply: HTTP 403, Forbidden"),
                        SHOP,
                        new RecentErrors.RecentError(NOW, "apply: HTTP 403, Forbidden")))));

    memory().update(_ -> noted);

    assertThat(memory().load().state()).isEqualTo(noted);
  }

  @Test
  void changesWhatIsThereAtThatMoment() {
    memory().update(there -> there.withRemovals(ownedBefore(3)));

    memory().update(there -> beginning(there, TEAM));

    var noted = memory().load().state();
    assertThat(noted.removals().ownedBefore()).contains(3);
    assertThat(noted.backlog(SOURCE).begun()).containsExactly(TEAM);
  }

  @Test
  void forgetsAllThatItIsToldToForget() {
    memory().update(there -> there.withRemovals(ownedBefore(3)));

    memory().update(_ -> RunState.NONE);

    assertThat(memory().load().state()).isEqualTo(RunState.NONE);
  }

  @Test
  void losesNothingOfWhatManyNoteAtOnce() throws Exception {
    var start = new CountDownLatch(1);
    var ids = IntStream.range(0, 4).mapToObj(i -> clusterPolicyId("p" + i)).toList();
    try (var threads = Executors.newFixedThreadPool(ids.size())) {
      var notes =
          ids.stream()
              .map(id -> {
                Callable<Boolean> note =
                    () -> {
                      start.await();
                      memory().update(there -> beginning(there, id));
                      return true;
                    };
                return threads.submit(note);
              })
              .toList();
      start.countDown();
      for (var note : notes) {
        note.get();
      }
    }

    assertThat(memory().load().state().backlog(SOURCE).begun()).containsExactlyElementsOf(ids);
  }

  @Test
  void findsWhatAPersonApproved() {
    approve(LIST);

    assertThat(memory().load().approval())
        .hasValueSatisfying(approval -> {
          assertThat(approval.list()).isEqualTo(LIST);
          assertThat(approval.age().orElseThrow()).isBetween(Duration.ZERO, Approval.VALID);
        });
  }

  @Test
  void keepsApprovalsOfRemovalsAndOfWhatBlocksMoreApart() {
    approve(Approval.Of.ENFORCEMENT, LIST);

    var stored = memory().load();
    var enforcing = stored.enforcing().orElseThrow();
    var removing = new Approval(Approval.Of.REMOVALS, LIST, enforcing.age());

    assertThat(stored.approval()).isEmpty();
    assertThat(memory().use(removing)).isFalse();
    assertThat(memory().use(enforcing)).isTrue();
    assertThat(memory().load().enforcing()).isEmpty();
  }

  @Test
  void letsAnApprovalBeUsedOnce() {
    approve(LIST);
    var approval = memory().load().approval().orElseThrow();

    var first = memory().use(approval);
    var second = memory().use(approval);

    assertThat(first).isTrue();
    assertThat(second).isFalse();
    assertThat(memory().load().approval()).isEmpty();
  }

  @Test
  void letsNobodyUseAnApprovalThatWasWithdrawn() {
    approve(LIST);
    var approval = memory().load().approval().orElseThrow();
    approve("sha256:another");

    assertThat(memory().use(approval)).isFalse();
    assertThat(memory().load().approval().orElseThrow().list()).isEqualTo("sha256:another");
  }

  @Test
  void letsOneOfManyUseAnApproval() throws Exception {
    approve(LIST);
    var approval = memory().load().approval().orElseThrow();
    var start = new CountDownLatch(1);
    try (var threads = Executors.newFixedThreadPool(4)) {
      var uses =
          IntStream.range(0, 4)
              .mapToObj(_ -> {
                Callable<Boolean> use =
                    () -> {
                      start.await();
                      return memory().use(approval);
                    };
                return threads.submit(use);
              })
              .toList();
      start.countDown();
      var used = 0;
      for (var use : uses) {
        used += use.get() ? 1 : 0;
      }
      assertThat(used).isEqualTo(1);
    }
  }

  @Test
  void keepsWhatRunsNotedWhenAnApprovalIsUsed() {
    memory().update(there -> there.withRemovals(ownedBefore(3)));
    approve(LIST);

    memory().use(memory().load().approval().orElseThrow());

    assertThat(memory().load().state().removals().ownedBefore()).contains(3);
  }

  private static RunState beginning(RunState there, PolicyId id) {
    return there.withBacklog(there.backlog(SOURCE).beginning(List.of(id)));
  }
}
