package dev.policysync.singlefault;

import dev.policysync.json.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.live.Listing;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.FakeSyncLock;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.Synchronizer;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.notification.EventSink;
import dev.policysync.sync.state.FakeRunStateStore;
import dev.policysync.sync.state.RunStateStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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

  /// Everything that a run may ask for, as it once was.
  record Past(
      ScenarioFeed scenarioFeed,
      FakePolicyStore store,
      RunStateStore.Stored stored,
      long failing) {}

  @Override
  protected void changes() {
    past.addFirst(now());
  }

  private Past now() {
    return new Past(feed(), store.copy(), memory.load(), failing());
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
  Ran run(String name, SingleFault singleFault) {
    var requestLog = new RequestLog(name, singleFault, this);
    var ports = new FakePorts(this, requestLog, store, memory, new FakeSyncLock(lease, name, time));
    try {
      var result = synchronizer(ports).run();
      requestLog.goesOn();
      return new Ran(
          requestLog, requestLog.dead() ? Optional.<SyncResult>empty() : Optional.of(result));
    } catch (KilledRun | IllegalStateException e) {
      if (requestLog.dead()) {
        return new Ran(requestLog, Optional.empty());
      }
      throw e;
    }
  }

  private Synchronizer synchronizer(FakePorts ports) {
    return new Synchronizer(
        new Synchronizer.Ports(
            ports.source(),
            ports.store(),
            ports.lock(),
            ports.memory(),
            Optional.of(ports.statuses()),
            EventSink.NONE,
            PolicyLinter.NONE,
            ports.reports()),
        new Synchronizer.Options(
            rules(), WriteMode.LIVE, false, 1, Duration.ofSeconds(65), "0.1.0"),
        new Cancellation(Duration.ofMinutes(4), time::nanoTime),
        time.clock(),
        Progress.NONE);
  }

  @Override
  OtherWriters others() {
    changes();
    return store;
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
