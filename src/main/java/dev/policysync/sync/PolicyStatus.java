package dev.policysync.sync;

import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.util.List;

/// What the remote API is told about one name: the API knows no kinds and no namespaces, so several
/// policies of one name share a status, and the worst result wins.
///
/// @param name the policies' name: `team-label`
/// @param operation whether they were applied or removed
/// @param success whether all of them succeeded
/// @param at when, in UTC; seconds matter, fractions do not
/// @param output empty on success, else what failed, by kind and namespace
/// @param policies whose status it is, as far as they could be told; not sent
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

  /// What was done or tried.
  public enum Operation {
    APPLY,
    DELETE
  }
}
