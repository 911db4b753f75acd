package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// A memory without a cluster: [RunStateStoreContract] holds it to the real one's ways.
public final class FakeRunStateStore implements RunStateStore {
  private final FakeTime time;
  private RunState runState = RunState.NONE;
  private final Map<Approval.Of, String> approved = new EnumMap<>(Approval.Of.class);
  private long approvedAt;
  private Optional<Failure> unavailable = Optional.empty();
  private Optional<Failure> nextLoad = Optional.empty();
  private Runnable beforeLoad = () -> {};
  private Runnable beforeUpdate = () -> {};
  private int updates;
  private final AtomicInteger loads = new AtomicInteger();

  public FakeRunStateStore(FakeTime time) {
    this.time = time;
  }

  /// Another one that remembers the same, by a clock that shows the same.
  public synchronized FakeRunStateStore copy(FakeTime itsTime) {
    var copy = new FakeRunStateStore(itsTime);
    copy.runState = runState;
    copy.approved.putAll(approved);
    copy.approvedAt = approvedAt;
    copy.updates = updates;
    return copy;
  }

  /// Lets a person approve that list of removals now.
  public void approve(String list) {
    approve(Approval.Of.REMOVALS, list);
  }

  /// Lets a person approve that list now.
  public void approve(Approval.Of what, String list) {
    approved.put(what, list);
    approvedAt = time.nanoTime();
  }

  /// Lets a person take all approvals away; whether there was one.
  public boolean withdrawApprovals() {
    var there = !approved.isEmpty();
    approved.clear();
    return there;
  }

  /// Makes every access fail from now on, or no more.
  public void fail(Optional<Failure> failure) {
    unavailable = failure;
  }

  /// Makes the next read fail, and no other.
  public void failNextLoad(Failure failure) {
    nextLoad = Optional.of(failure);
  }

  /// Lets that happen before each read.
  public void beforeLoad(Runnable happens) {
    beforeLoad = happens;
  }

  /// Lets that happen once, right before something is written next.
  public void beforeUpdate(Runnable happens) {
    beforeUpdate = happens;
  }

  /// How often it was read, or is being read.
  public int loads() {
    return loads.get();
  }

  /// How often something was written.
  public int updates() {
    return updates;
  }

  @Override
  public Stored load() {
    loads.incrementAndGet();
    beforeLoad.run();
    return loadNow();
  }

  private synchronized Stored loadNow() {
    requireAvailable();
    var failing = nextLoad;
    nextLoad = Optional.empty();
    if (failing.isPresent()) {
      throw new ClusterUnavailable(failing.get());
    }
    return new Stored(
        updates > 0 || !approved.isEmpty(),
        runState,
        approval(Approval.Of.REMOVALS),
        approval(Approval.Of.ENFORCEMENT),
        approved.isEmpty() || !old());
  }

  @Override
  public void update(UnaryOperator<RunState> change) {
    var happens = beforeUpdate;
    beforeUpdate = () -> {};
    happens.run();
    changeNow(change);
  }

  private synchronized void changeNow(UnaryOperator<RunState> change) {
    requireAvailable();
    var after = change.apply(runState);
    updates += after.equals(runState) ? 0 : 1;
    runState = after;
  }

  @Override
  public synchronized boolean use(Approval approval) {
    requireAvailable();
    var there = approved.remove(approval.of(), approval.list());
    updates += there ? 1 : 0;
    return there;
  }

  @Override
  public void end(Approval approval) {
    var _ = use(approval);
  }

  /// Here nothing makes an approval younger; one that is void goes.
  @Override
  public synchronized void noteApprovals() {
    requireAvailable();
    if (old() && !approved.isEmpty()) {
      approved.clear();
      updates++;
    }
  }

  private boolean old() {
    return time.nanoTime() - approvedAt >= Approval.VALID.toNanos();
  }

  @Override
  public String commandToApprove(Approval.Of what, Digest list) {
    return (what == Approval.Of.REMOVALS ? "approve " : "approve enforcing ") + list;
  }

  private Optional<Approval> approval(Approval.Of what) {
    return Optional.ofNullable(approved.get(what))
        .map(list ->
            new Approval(what, list, Optional.of(Duration.ofNanos(time.nanoTime() - approvedAt))));
  }

  private void requireAvailable() {
    if (unavailable.isPresent()) {
      throw new ClusterUnavailable(unavailable.get());
    }
  }
}
