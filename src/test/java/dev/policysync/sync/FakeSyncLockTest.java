package dev.policysync.sync;

/// The lock's contract, on the fake.
class FakeSyncLockTest extends SyncLockContract {
  private final FakeSyncLock.SharedRecord shared = new FakeSyncLock.SharedRecord();

  @Override
  protected SyncLock lock(String identity) {
    return new FakeSyncLock(shared, identity, time);
  }

  @Override
  protected void renew(SyncLock.Held held) {
    ((FakeSyncLock.Mine) held).renew();
  }

  @Override
  protected void seize(String holder) {
    shared.seize(holder);
  }

  @Override
  protected String holder() {
    return shared.holder();
  }
}
