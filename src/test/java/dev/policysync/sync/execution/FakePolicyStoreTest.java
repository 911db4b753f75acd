package dev.policysync.sync.execution;

/// The store's contract, on the fake.
class FakePolicyStoreTest extends PolicyStoreContract {
  private final FakePolicyStore store = new FakePolicyStore();

  @Override
  protected PolicyStore store() {
    return store;
  }

  @Override
  protected OtherWriters others() {
    return store;
  }
}
