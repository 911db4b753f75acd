package dev.policysync.sync;

/// Holds the fake to the contract.
class FakeRunMemoryTest extends RunMemoryContract {
  private final FakeRunMemory memory = new FakeRunMemory(new FakeTime());

  @Override
  protected RunMemory memory() {
    return memory;
  }

  @Override
  protected void approve(String list) {
    memory.approve(list);
  }
}
