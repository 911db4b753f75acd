package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.lease.LeaseLock;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.RunState;
import dev.policysync.sync.RunStateStore;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.Ticker;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One run's way to a [ClusterWorld]: the agent's own adapters, whose requests go over a
/// [RequestLog].
final class ClusterPorts extends RunPorts {
  private final RequestLog requestLog;
  private final FakeTime time;
  private final ClusterConnection connection;
  private final AtomicReference<SyncLock.@Nullable Held> held = new AtomicReference<>();

  ClusterPorts(ClusterWorld world, RequestLog requestLog, ClusterConnection direct) {
    super(world, requestLog);
    this.requestLog = requestLog;
    this.time = world.time;
    var http =
        direct
            .http()
            .newBuilder()
            .addInterceptor(new LoggedRequests(world, requestLog, turns))
            .build();
    this.connection = new ClusterConnection(direct.server(), http, direct.origin(), direct::close);
  }

  @Override
  SyncLock lock() {
    return wait -> {
      var attempt =
          new LeaseLock(
                  connection,
                  ClusterWorld.namespaceOf(connection),
                  requestLog.run(),
                  time.clock(),
                  new LeaseTicker())
              .acquire(wait);
      if (attempt instanceof SyncLock.Attempt.Taken(var lease)) {
        held.set(lease);
        requestLog.leased();
      }
      return attempt;
    };
  }

  /// Four looks show that nobody renews a Lease any more.
  private final class LeaseTicker implements Ticker {
    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public boolean pause(Duration length) {
      return time.pause(Duration.ofSeconds(15));
    }
  }

  private boolean mayWrite() {
    var lease = held.get();
    return lease == null || lease.stillOurs();
  }

  @Override
  PolicyStore store() {
    var store = new ClusterPolicies(connection, Set.of(), this::mayWrite);
    return new PolicyStore() {
      @Override
      public ActualPolicies list() {
        return list(Map.of());
      }

      @Override
      public ActualPolicies listServed(Map<PolicyKind, String> served) {
        return turns.listServed(() -> store.listServed(served));
      }

      @Override
      public ActualPolicies list(Map<PolicyKind, Listing> known) {
        return turns.list(known.keySet(), () -> store.list(known));
      }

      @Override
      public Optional<LivePolicy> find(PolicyId id) {
        return store.find(id);
      }

      @Override
      public Optional<Value.Mapping> read(PolicyId id) {
        return store.read(id);
      }

      @Override
      public Written apply(Action.Write write, WriteMode writeMode) {
        return store.apply(write, writeMode);
      }

      @Override
      public Written remove(Action.Remove removal, WriteMode writeMode) {
        return store.remove(removal, writeMode);
      }

      @Override
      public Preview preview(Action.Write write) {
        return store.preview(write);
      }
    };
  }

  @Override
  RunStateStore memory() {
    var memory =
        new LeaseRunStateStore(connection, ClusterWorld.namespaceOf(connection), Optional.empty());
    return new RunStateStore() {
      @Override
      public Stored load() {
        return turns.recall(memory::load);
      }

      @Override
      public void update(UnaryOperator<RunState> change) {
        memory.update(change);
      }

      @Override
      public boolean use(Approval approval) {
        return memory.use(approval);
      }

      @Override
      public void end(Approval approval) {
        memory.end(approval);
      }

      @Override
      public void noteApprovals() {
        memory.noteApprovals();
      }

      @Override
      public String commandToApprove(Approval.Of what, Digest list) {
        return memory.commandToApprove(what, list);
      }
    };
  }
}
