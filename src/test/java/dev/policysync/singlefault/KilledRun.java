package dev.policysync.singlefault;

/// The end of an agent's process as far as this JVM can play it: thrown at the request where it is
/// killed and at every one after that, so that nothing is released, noted or tidied up.
final class KilledRun extends Error {
  private static final long serialVersionUID = 1L;

  KilledRun() {
    super("killed");
  }
}
