package dev.policysync.singlefault;

import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.PolicySource;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.sync.FailingNow;
import dev.policysync.sync.FakePolicyStore;
import dev.policysync.sync.FakeRunMemory;
import dev.policysync.sync.FakeSyncLock;
import dev.policysync.sync.Memory;
import dev.policysync.sync.Mode;
import dev.policysync.sync.PolicyStore;
import dev.policysync.sync.RunMemory;
import dev.policysync.sync.StatusSink;
import dev.policysync.sync.SyncLock;
import dev.policysync.yaml.Value;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// One run's way to a [FakeWorld]: every request goes over its [Wire].
final class FakePorts {
  private static final Failure NO_ANSWER = new Failure(Failure.Cause.UNREACHABLE, "no answer");

  private static final Map<PolicyKind, Listing> NOTHING = new FakePolicyStore().list().kinds();

  private final FakeWorld world;
  private final Wire wire;
  private final FakePolicyStore store;
  private final FakeRunMemory memory;
  private final FakeSyncLock lock;
  private final InTurn turns = new InTurn();

  FakePorts(
      FakeWorld world, Wire wire, FakePolicyStore store, FakeRunMemory memory, FakeSyncLock lock) {
    this.world = world;
    this.wire = wire;
    this.store = store;
    this.memory = memory;
    this.lock = lock;
  }

  PolicySource source() {
    return () ->
        turns.feed(() -> {
          var feed =
              wire.read(
                  "FEED", world::feed, () -> world.earlier(FakeWorld.Past::feed, Feed::number));
          wire.given(feed);
          return feed.manifests();
        });
  }

  StatusSink statuses() {
    return statuses -> wire.write("TELL", () -> world.tell(statuses), () -> statuses);
  }

  FailingNow reports() {
    return asked -> {
      var failing =
          wire.read("REPORTS", world::failing, () -> world.earlier(FakeWorld.Past::failing));
      return world.reported(failing, asked);
    };
  }

  SyncLock lock() {
    return wait -> {
      var attempt =
          wire.write(
              "TAKE Lease",
              () -> lock.acquire(wait),
              () -> new SyncLock.Attempt.Unavailable(NO_ANSWER));
      if (!(attempt instanceof SyncLock.Attempt.Taken(var held))) {
        return attempt;
      }
      wire.leased();
      return new SyncLock.Attempt.Taken(
          new SyncLock.Held() {
            @Override
            public boolean stillOurs() {
              return held.stillOurs();
            }

            @Override
            public void close() {
              wire.write("RELEASE Lease", () -> done(held::close), () -> true);
            }
          });
    };
  }

  PolicyStore store() {
    return new Store();
  }

  RunMemory memory() {
    return new Remembering();
  }

  private static boolean done(Runnable action) {
    action.run();
    return true;
  }

  private static ClusterUnavailable noAnswer() {
    return new ClusterUnavailable(NO_ANSWER);
  }

  private final class Store implements PolicyStore {
    @Override
    public Actual list() {
      return turns.list(() -> {
        var kinds = new EnumMap<>(NOTHING);
        var groups = new HashSet<String>();
        var absent = EnumSet.noneOf(PolicyKind.class);
        for (var kind : world.scenario.kinds()) {
          if (groups.add(kind.group())) {
            absent.addAll(discover(kind.group()));
          }
        }
        for (var kind : world.scenario.kinds()) {
          kinds.put(
              kind,
              absent.contains(kind)
                  ? new Listing.Absent("its CRD is not installed")
                  : wire.read(
                      "LIST " + kind,
                      () -> store.listing(kind),
                      () ->
                          world
                              .earlier(then -> then.store().listing(kind), Store::versions)
                              .filter(Listing.Listed.class::isInstance)));
        }
        return new Actual(kinds);
      });
    }

    private Set<PolicyKind> discover(String group) {
      return wire.read(
          "DISCOVER " + group,
          () -> absent(store, group),
          () -> world.earlier(then -> absent(then.store(), group), Set::copyOf));
    }

    private static Object versions(Listing listing) {
      return listing instanceof Listing.Listed(_, var policies)
          ? policies.stream().map(LivePolicy::version).toList()
          : listing;
    }

    @Override
    public Optional<LivePolicy> find(PolicyId id) {
      return wire.read(
          "GET " + id,
          () -> store.find(id),
          () ->
              world.earlier(then -> then.store().find(id), live -> live.map(LivePolicy::version)));
    }

    @Override
    public Optional<Value.Mapping> read(PolicyId id) {
      return wire.read(
          "READ " + id, () -> store.read(id), () -> world.earlier(then -> then.store().read(id)));
    }

    @Override
    public Preview preview(Action.Write write) {
      return wire.read(
          "PREVIEW " + write.id(),
          () -> store.preview(write),
          () -> world.earlier(then -> then.store().preview(write)));
    }

    @Override
    public Written apply(Action.Write write, Mode mode) {
      return wire.write(
          "APPLY " + write.id(),
          () -> judged(write, () -> store.apply(write, mode)),
          () -> {
            throw noAnswer();
          });
    }

    @Override
    public Written remove(Action.Remove removal, Mode mode) {
      return wire.write(
          "REMOVE " + removal.id(),
          () -> judged(removal, () -> store.remove(removal, mode)),
          () -> {
            throw noAnswer();
          });
    }

    private Written judged(Action action, Supplier<Written> write) {
      world.changes();
      var before = world.policy(action.id());
      var written = write.get();
      world.judge.wrote(wire, action.id(), before, world.policy(action.id()));
      return written;
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

  private final class Remembering implements RunMemory {
    @Override
    public Recalled recall() {
      return turns.recall(
          () -> wire.read("RECALL", memory::recall, () -> world.earlier(FakeWorld.Past::recalled)));
    }

    @Override
    public void update(UnaryOperator<Memory> change) {
      var there = memory.recall().memory();
      if (!change.apply(there).equals(there)) {
        world.changes();
        wire.write(
            "NOTE",
            () -> done(() -> memory.update(change)),
            () -> {
              throw noAnswer();
            });
      }
    }

    @Override
    public boolean use(Approval approval) {
      return wire.write(
          "USE " + approval.of().name(),
          () -> used(approval),
          () -> {
            throw noAnswer();
          });
    }

    private boolean used(Approval approval) {
      world.changes();
      var ours = memory.use(approval);
      if (ours) {
        world.judge.used(wire, approval.of());
      }
      return ours;
    }

    @Override
    public void noteApprovals() {
      wire.write(
          "NOTE approvals",
          () -> done(memory::noteApprovals),
          () -> {
            throw noAnswer();
          });
    }

    @Override
    public String commandToApprove(Approval.Of what, Digest list) {
      return memory.commandToApprove(what, list);
    }
  }
}
