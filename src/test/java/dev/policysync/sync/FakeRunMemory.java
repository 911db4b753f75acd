package dev.policysync.sync;

import dev.policysync.plan.Approval;
import dev.policysync.plan.Failure;
import dev.policysync.policy.Digest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A memory without a cluster: [RunMemoryContract] holds it to the real one's ways.
public final class FakeRunMemory implements RunMemory {
  private final FakeTime time;
  private Memory memory = Memory.NONE;
  private Optional<String> approved = Optional.empty();
  private long approvedAt;
  private Optional<Failure> unavailable = Optional.empty();
  private int updates;

  public FakeRunMemory(FakeTime time) {
    this.time = time;
  }

  /// Lets a person approve that list now.
  public void approve(String list) {
    approved = Optional.of(list);
    approvedAt = time.nanoTime();
  }

  /// Makes every access fail from now on, or no more.
  public void fail(Optional<Failure> failure) {
    unavailable = failure;
  }

  /// How often something was written.
  public int updates() {
    return updates;
  }

  @Override
  public synchronized Recalled recall() {
    requireAvailable();
    return new Recalled(
        memory,
        approved.map(list ->
            new Approval(list, Optional.of(Duration.ofNanos(time.nanoTime() - approvedAt)))));
  }

  @Override
  public synchronized void update(UnaryOperator<Memory> change) {
    requireAvailable();
    var after = change.apply(memory);
    updates += after.equals(memory) ? 0 : 1;
    memory = after;
  }

  @Override
  public synchronized boolean use(Approval approval) {
    requireAvailable();
    var there = approved.equals(Optional.of(approval.list()));
    approved = there ? Optional.empty() : approved;
    updates += there ? 1 : 0;
    return there;
  }

  @Override
  public String commandToApprove(Digest list) {
    return "approve " + list;
  }

  private void requireAvailable() {
    if (unavailable.isPresent()) {
      throw new ClusterUnavailable(unavailable.get());
    }
  }
}
