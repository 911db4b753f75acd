package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.util.Optional;

/// The namespace of the agent. It contains the one Lease that all runs in a cluster share (promise
/// 9).
///
/// @param name `insights-agent`
/// @param reason why this namespace was chosen: `the agent's CronJob and Lease are there`
/// @param objection why the namespace may not be the agent's, so that no run may write under a
///   Lease there; empty if it certainly is
public record AgentNamespace(String name, String reason, Optional<Failure> objection) {
  /// Creates a namespace that is certainly the agent's.
  public AgentNamespace(String name, String reason) {
    this(name, reason, Optional.empty());
  }

  /// Returns the name, if the namespace is certainly the agent's.
  public Optional<String> certain() {
    return objection.isEmpty() ? Optional.of(name) : Optional.empty();
  }

  /// Returns the text for people: `insights-agent (the agent's Lease is there)`.
  public String text() {
    return name + " (" + reason + ")";
  }
}
