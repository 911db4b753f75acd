package dev.policysync.statemachine;

/// The end of an agent's process as far as this JVM can play it: thrown at its next request and at
/// every one after that, so that nothing is released, noted or tidied up.
final class SimulatedKill extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedKill() {
    super("killed");
  }
}
