package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.util.List;

/// The status that is sent to the remote API for one name. The API has no kinds and no namespaces,
/// so several policies of one name share a status, and it contains the worst result.
///
/// @param name the name of the policies: `team-label`
/// @param operation whether the policies were applied or removed
/// @param success whether all of them succeeded
/// @param at the time, in UTC; seconds matter, fractions do not
/// @param output empty on success, otherwise the failures, by kind and namespace
/// @param policies the policies that share the status, as far as known; not sent
public record PolicyStatus(
    String name,
    Operation operation,
    boolean success,
    Instant at,
    String output,
    List<PolicyId> policies) {
  public PolicyStatus {
    policies = List.copyOf(policies);
  }

  public enum Operation {
    APPLY,
    DELETE
  }
}
