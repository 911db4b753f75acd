package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.ownedBefore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Agreement;
import dev.policysync.plan.Approval;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.Repairs;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.yaml.Value;
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

/// What every [RunMemory] does, the real one and the fake.
public abstract class RunMemoryContract {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");
  private static final String LIST = Digest.of(Value.Mapping.EMPTY).text();
  private static final PolicyId TEAM = clusterPolicyId("team");
  private static final PolicyId SHOP = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "team");

  /// One of several that share what they remember.
  protected abstract RunMemory memory();

  /// Lets a person approve that list.
  protected abstract void approve(Approval.Of what, String list);

  /// Lets a person approve that list of removals.
  protected final void approve(String list) {
    approve(Approval.Of.REMOVALS, list);
  }

  @Test
  void remembersNothingAtFirst() {
    assertThat(memory().recall()).isEqualTo(RunMemory.Recalled.NOTHING);
  }

  @Test
  void remembersAllThatItIsTold() {
    var noted =
        new Memory(
            new RemovalHistory(
                Optional.of(20),
                Optional.of(new RemovalHistory.Withheld(5, NOW)),
                List.of(new RemovalHistory.Removed(NOW, 2, 22)),
                new TreeSet<>(Set.of("uid-1", "uid-2"))),
            new TreeSet<>(Set.of(TEAM, SHOP)),
            List.of(
                new PolicyStatus(
                    "half", Operation.APPLY, false, NOW, "", "feed, document 2: …", List.of()),
                new PolicyStatus("team", Operation.APPLY, true, NOW, "", "", List.of(TEAM, SHOP)),
                new PolicyStatus(
                    "gone", Operation.DELETE, true, NOW, "", "", List.of(clusterPolicyId("gone")))),
            new Repairs(Map.of(TEAM, new Repairs.Series(Set.of("argocd", "kubectl-edit"), 2, NOW))),
            Optional.of(new Agreement(Digest.of(new byte[] {1}), Digest.of(new byte[] {2}))),
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
                Optional.of(new FeedHistory.Older(Digest.of(new byte[] {3}), NOW))));

    memory().update(_ -> noted);

    assertThat(memory().recall().memory()).isEqualTo(noted);
  }

  @Test
  void changesWhatIsThereAtThatMoment() {
    memory().update(there -> there.withRemovals(ownedBefore(3)));

    memory().update(there -> there.beginning(List.of(TEAM)));

    var noted = memory().recall().memory();
    assertThat(noted.removals().ownedBefore()).contains(3);
    assertThat(noted.begun()).containsExactly(TEAM);
  }

  @Test
  void forgetsAllThatItIsToldToForget() {
    memory().update(there -> there.withRemovals(ownedBefore(3)));

    memory().update(_ -> Memory.NONE);

    assertThat(memory().recall().memory()).isEqualTo(Memory.NONE);
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
                      memory().update(there -> there.beginning(List.of(id)));
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

    assertThat(memory().recall().memory().begun()).containsExactlyElementsOf(ids);
  }

  @Test
  void findsWhatAPersonApproved() {
    approve(LIST);

    assertThat(memory().recall().approval())
        .hasValueSatisfying(approval -> {
          assertThat(approval.list()).isEqualTo(LIST);
          assertThat(approval.age().orElseThrow()).isBetween(Duration.ZERO, Approval.VALID);
        });
  }

  @Test
  void keepsApprovalsOfRemovalsAndOfWhatBlocksMoreApart() {
    approve(Approval.Of.ENFORCEMENT, LIST);

    var recalled = memory().recall();
    var enforcing = recalled.enforcing().orElseThrow();
    var removing = new Approval(Approval.Of.REMOVALS, LIST, enforcing.age());

    assertThat(recalled.approval()).isEmpty();
    assertThat(memory().use(removing)).isFalse();
    assertThat(memory().use(enforcing)).isTrue();
    assertThat(memory().recall().enforcing()).isEmpty();
  }

  @Test
  void letsAnApprovalBeUsedOnce() {
    approve(LIST);
    var approval = memory().recall().approval().orElseThrow();

    var first = memory().use(approval);
    var second = memory().use(approval);

    assertThat(first).isTrue();
    assertThat(second).isFalse();
    assertThat(memory().recall().approval()).isEmpty();
  }

  @Test
  void letsNobodyUseAnApprovalThatWasWithdrawn() {
    approve(LIST);
    var approval = memory().recall().approval().orElseThrow();
    approve("sha256:another");

    assertThat(memory().use(approval)).isFalse();
    assertThat(memory().recall().approval().orElseThrow().list()).isEqualTo("sha256:another");
  }

  @Test
  void letsOneOfManyUseAnApproval() throws Exception {
    approve(LIST);
    var approval = memory().recall().approval().orElseThrow();
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

    memory().use(memory().recall().approval().orElseThrow());

    assertThat(memory().recall().memory().removals().ownedBefore()).contains(3);
  }
}
