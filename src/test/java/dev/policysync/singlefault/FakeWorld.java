package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.FakeRunStateStore;
import dev.policysync.sync.FakeSyncLock;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.OtherWriters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// A world of the fakes that the contracts hold to the API server's ways.
final class FakeWorld extends World {
  private final FakePolicyStore store;
  private final FakeRunStateStore memory;
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final Deque<Past> past = new ArrayDeque<>();

  /// A cluster that had no Kyverno before.
  FakeWorld(Scenario scenario) {
    super(scenario);
    store = new FakePolicyStore();
    memory = new FakeRunStateStore(time);
    scenario
        .kinds()
        .forEach(kind -> store.list(kind, new Listing.Absent("its CRD is not installed")));
    changes();
    scenario.kinds().forEach(store::list);
  }

  private FakeWorld(FakeWorld other) {
    super(other);
    store = other.store.copy();
    memory = other.memory.copy(time);
    lease.seize(other.lease.holder());
    past.addAll(other.past);
  }

  /// Makes worlds in which everything has happened that happens before the run of a scenario.
  static Supplier<World> of(Scenario scenario) {
    var first = new FakeWorld(scenario);
    scenario.before().accept(first);
    return () -> new FakeWorld(first);
  }

  /// What a run may ask the cluster for, as it once was.
  record Past(FakePolicyStore store, RunStateStore.Stored stored) {}

  @Override
  protected void changes() {
    past.addFirst(now());
  }

  private Past now() {
    return new Past(store.copy(), memory.load());
  }

  /// The answer from before the last change of it.
  ///
  /// @param telling what of an answer makes it another one
  <T> Optional<T> earlier(Function<Past, T> question, Function<? super T, ?> telling) {
    var current = telling.apply(question.apply(now()));
    return past.stream()
        .map(question)
        .filter(answer -> !Objects.equals(telling.apply(answer), current))
        .findFirst();
  }

  <T> Optional<T> earlier(Function<Past, T> question) {
    return earlier(question, answer -> answer);
  }

  @Override
  protected RunPorts ports(RequestLog requestLog) {
    var lock = new FakeSyncLock(lease, requestLog.run(), time);
    return new FakePorts(this, requestLog, store, memory, lock);
  }

  @Override
  OtherWriters others() {
    changes();
    return store;
  }

  @Override
  void answerRemoval(PolicyId id, Failure failure) {
    store.answerRemoval(id, failure);
  }

  @Override
  void damageMemory() {
    changes();
    memory.update(recorded ->
        recorded.withRemovals(RemovalHistory.NONE.withUnreadable(List.of("removed", "withheld"))));
  }

  @Override
  SortedMap<PolicyId, Value.Mapping> policies() {
    return store.contents();
  }

  @Override
  String holder() {
    return lease.holder();
  }

  @Override
  void approve(Approval.Of what, String list) {
    changes();
    memory.approve(what, list);
  }

  @Override
  boolean withdrawApprovals() {
    changes();
    return memory.withdrawApprovals();
  }
}
