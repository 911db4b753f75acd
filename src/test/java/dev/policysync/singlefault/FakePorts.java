package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.FakeRunStateStore;
import dev.policysync.sync.FakeSyncLock;
import dev.policysync.sync.RunState;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.WriteMode;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// One run's way to a [FakeWorld]: every request goes over its [RequestLog].
final class FakePorts extends RunPorts {
  private static final Map<PolicyKind, Listing> NOTHING = new FakePolicyStore().list().kinds();

  private final FakeWorld world;
  private final RequestLog requestLog;
  private final FakePolicyStore store;
  private final FakeRunStateStore memory;
  private final FakeSyncLock lock;

  FakePorts(
      FakeWorld world,
      RequestLog requestLog,
      FakePolicyStore store,
      FakeRunStateStore memory,
      FakeSyncLock lock) {
    super(world, requestLog);
    this.world = world;
    this.requestLog = requestLog;
    this.store = store;
    this.memory = memory;
    this.lock = lock;
  }

  @Override
  SyncLock lock() {
    return wait -> {
      var attempt =
          requestLog.write(
              "TAKE Lease",
              Subject.Other.LEASE,
              () -> lock.acquire(wait),
              SyncLock.Attempt.Unavailable::new);
      if (!(attempt instanceof SyncLock.Attempt.Taken(var held))) {
        return attempt;
      }
      requestLog.leased();
      return new SyncLock.Attempt.Taken(
          new SyncLock.Held() {
            @Override
            public boolean stillOurs() {
              return held.stillOurs();
            }

            @Override
            public void close() {
              requestLog.write(
                  "RELEASE Lease", Subject.Other.LEASE, () -> done(held::close), _ -> true);
            }
          });
    };
  }

  @Override
  PolicyStore store() {
    return new Store();
  }

  @Override
  RunStateStore memory() {
    return new Remembering();
  }

  private static boolean done(Runnable action) {
    action.run();
    return true;
  }

  private static boolean unavailable(Failure failure) {
    throw new ClusterUnavailable(failure);
  }

  private final class Store implements PolicyStore {
    private final Set<PolicyKind> absent = EnumSet.noneOf(PolicyKind.class);

    @Override
    public ActualPolicies list() {
      return list(Map.of());
    }

    @Override
    public ActualPolicies list(Map<PolicyKind, Listing> known) {
      return turns.list(
          known.keySet(),
          () -> {
            var groups = new HashSet<String>();
            absent.clear();
            for (var kind : world.scenario.kinds()) {
              if (groups.add(kind.group())) {
                absent.addAll(discover(kind.group()));
              }
            }
            return listed(known);
          });
    }

    @Override
    public ActualPolicies listServed(Map<PolicyKind, String> served) {
      return turns.listServed(() -> {
        var kinds = new EnumMap<>(NOTHING);
        for (var kind : world.scenario.kinds()) {
          kinds.put(
              kind,
              served.containsKey(kind)
                  ? stillServed(listing(kind))
                  : new Listing.Absent("it was not served"));
        }
        return new ActualPolicies(kinds);
      });
    }

    private static Listing stillServed(Listing listing) {
      return listing instanceof Listing.Absent(var reason)
          ? new Listing.Unlistable(new Failure(Failure.Cause.NOT_FOUND, reason))
          : listing;
    }

    private ActualPolicies listed(Map<PolicyKind, Listing> known) {
      var kinds = new EnumMap<>(NOTHING);
      for (var kind : world.scenario.kinds()) {
        kinds.put(kind, known.containsKey(kind) ? known.get(kind) : listing(kind));
      }
      return new ActualPolicies(kinds);
    }

    private Listing listing(PolicyKind kind) {
      return absent.contains(kind)
          ? new Listing.Absent("its CRD is not installed")
          : requestLog.read(
              "LIST " + kind,
              new Subject.OfKind(kind),
              () -> store.listing(kind),
              () ->
                  world
                      .earlier(then -> then.store().listing(kind), Store::versions)
                      .filter(Listing.Listed.class::isInstance));
    }

    private Set<PolicyKind> discover(String group) {
      return requestLog.read(
          "DISCOVER " + group,
          Subject.Other.DISCOVERY,
          () -> absent(store, group),
          () -> world.earlier(then -> absent(then.store(), group), Set::copyOf));
    }

    private static Object versions(Listing listing) {
      return listing instanceof Listing.Listed(_, var policies)
          ? policies.stream().map(LivePolicy::objectVersion).toList()
          : listing;
    }

    @Override
    public Optional<LivePolicy> find(PolicyId id) {
      return requestLog.read(
          "GET " + id,
          new Subject.One(id),
          () -> store.find(id),
          () ->
              world.earlier(
                  then -> then.store().find(id), live -> live.map(LivePolicy::objectVersion)));
    }

    @Override
    public Optional<Value.Mapping> read(PolicyId id) {
      return requestLog.read(
          "READ " + id,
          new Subject.One(id),
          () -> store.read(id),
          () -> world.earlier(then -> then.store().read(id)));
    }

    @Override
    public Preview preview(Action.Write write) {
      return requestLog.read(
          "PREVIEW " + write.id(),
          new Subject.One(write.id()),
          () -> store.preview(write),
          () -> world.earlier(then -> then.store().preview(write)));
    }

    @Override
    public Written apply(Action.Write write, WriteMode writeMode) {
      return requestLog.write(
          "APPLY " + write.id(),
          new Subject.One(write.id()),
          () -> judged(write, () -> store.apply(write, writeMode)),
          Store::refused);
    }

    @Override
    public Written remove(Action.Remove removal, WriteMode writeMode) {
      return requestLog.write(
          "REMOVE " + removal.id(),
          new Subject.One(removal.id()),
          () -> judged(removal, () -> store.remove(removal, writeMode)),
          Store::refused);
    }

    private static Written refused(Failure failure) {
      if (failure.cause() == Failure.Cause.UNREACHABLE) {
        throw new ClusterUnavailable(failure);
      }
      return new Written.Refused(failure);
    }

    private Written judged(Action action, Supplier<Written> write) {
      world.changes();
      var before = remaining(action.id());
      var written = write.get();
      world.writeJudge.wrote(requestLog, action.id(), before, remaining(action.id()));
      return written;
    }

    /// What is marked for deletion is gone as soon as somebody removes its finalizer.
    private Optional<Value.Mapping> remaining(PolicyId id) {
      return store.find(id).filter(LivePolicy::terminating).isPresent()
          ? Optional.empty()
          : world.policy(id);
    }
  }

  private Set<PolicyKind> absent(FakePolicyStore store, String group) {
    var absent = EnumSet.noneOf(PolicyKind.class);
    for (var kind : world.scenario.kinds()) {
      if (kind.group().equals(group) && store.listing(kind) instanceof Listing.Absent) {
        absent.add(kind);
      }
    }
    return absent;
  }

  private final class Remembering implements RunStateStore {
    @Override
    public Stored load() {
      return turns.recall(() ->
          requestLog.read(
              "RECALL",
              Subject.Other.LEASE,
              memory::load,
              () -> world.earlier(FakeWorld.Past::stored)));
    }

    @Override
    public void update(UnaryOperator<RunState> change) {
      var there = memory.load().state();
      if (!change.apply(there).equals(there)) {
        world.changes();
        requestLog.write(
            "NOTE",
            Subject.Other.LEASE,
            () -> done(() -> memory.update(change)),
            FakePorts::unavailable);
      }
    }

    @Override
    public boolean use(Approval approval) {
      return requestLog.write(
          "USE " + approval.of().name(),
          Subject.Other.LEASE,
          () -> used(approval),
          FakePorts::unavailable);
    }

    private boolean used(Approval approval) {
      world.changes();
      var ours = memory.use(approval);
      if (ours) {
        requestLog.used(approval.of());
      }
      return ours;
    }

    @Override
    public void end(Approval approval) {
      world.changes();
      requestLog.write(
          "NOTE end of approval",
          Subject.Other.LEASE,
          () -> done(() -> memory.end(approval)),
          FakePorts::unavailable);
    }

    @Override
    public void noteApprovals() {
      requestLog.write(
          "NOTE approvals",
          Subject.Other.LEASE,
          () -> done(memory::noteApprovals),
          FakePorts::unavailable);
    }

    @Override
    public String commandToApprove(Approval.Of what, Digest list) {
      return memory.commandToApprove(what, list);
    }
  }
}
