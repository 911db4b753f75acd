package dev.policysync.sync;

import dev.policysync.plan.Approval;

/// Holds the fake to the contract.
class FakeRunStateStoreTest extends RunStateStoreContract {
  private final FakeRunStateStore memory = new FakeRunStateStore(new FakeTime());

  @Override
  protected RunStateStore memory() {
    return memory;
  }

  @Override
  protected void approve(Approval.Of what, String list) {
    memory.approve(what, list);
  }
}
