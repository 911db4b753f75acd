package dev.policysync.sync;

import dev.policysync.plan.Approval;

/// Holds the fake to the contract.
class FakeRunMemoryTest extends RunMemoryContract {
  private final FakeRunMemory memory = new FakeRunMemory(new FakeTime());

  @Override
  protected RunMemory memory() {
    return memory;
  }

  @Override
  protected void approve(Approval.Of what, String list) {
    memory.approve(what, list);
  }
}
