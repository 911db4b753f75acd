package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.util.Optional;

/// The namespace of the agent, with the one Lease that all runs in a cluster share (promise 9).
///
/// @param name `insights-agent`
/// @param reason why it is this one: `the agent's CronJob and Lease are there`
/// @param objection why it may not be the agent's, so that no run may write under a Lease there;
///   empty where nothing is in doubt
public record AgentNamespace(String name, String reason, Optional<Failure> objection) {
  /// A namespace that is certainly the agent's.
  public AgentNamespace(String name, String reason) {
    this(name, reason, Optional.empty());
  }

  /// How people read it: `insights-agent (the agent's Lease is there)`.
  public String text() {
    return name + " (" + reason + ")";
  }
}
