package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The removals of a plan that no approval covers, neither now nor in an earlier run that left them
/// to this one, and how they count in the [RemovalHistory]: all of them before the first is sent,
/// and afterwards each one that the API server accepted or may have accepted (promise 4).
///
/// @param uids the uids of the objects, one for each policy of the feed, because a policy counts
///   once
record UnapprovedRemovals(Plan plan, Map<PolicyId, String> uids) {
  static UnapprovedRemovals in(Plan plan, RemovalHistory before) {
    var uids = new HashMap<PolicyId, String>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Remove removal
          && removal.isOfFeed()
          && !plan.approvals().removals().given()
          && !before.approved(removal.was().uid())) {
        uids.putIfAbsent(plan.ofFeed(removal.id()), removal.was().uid());
      }
    }
    return new UnapprovedRemovals(plan, Map.copyOf(uids));
  }

  /// Returns the history before the removals are sent.
  RemovalHistory begin(RemovalHistory history, Instant now) {
    return history.removing(uids.size(), plan.note(), now).beginning(uids.values());
  }

  /// Returns the history after these outcomes. The next run settles a removal with an unknown
  /// result, because it sees whether the object is still in the cluster.
  RemovalHistory end(RemovalHistory history, List<Outcome> removals) {
    var taken = with(Effect.TAKEN, plan, removals);
    var open = with(Effect.UNKNOWN, plan, removals);
    open.removeAll(taken);
    var untouched = new HashSet<>(uids.keySet());
    untouched.removeAll(taken);
    untouched.removeAll(open);
    return history.forget(uidsOf(untouched)).confirm(uidsOf(taken));
  }

  /// Returns how many policies of the feed the API server removed, or is about to remove.
  static int taken(Plan plan, List<Outcome> removals) {
    return with(Effect.TAKEN, plan, removals).size();
  }

  private static Set<PolicyId> with(Effect effect, Plan plan, List<Outcome> removals) {
    return removals.stream()
        .filter(removal -> effect(removal) == effect)
        .map(removal -> plan.ofFeed(removal.action().id()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private Set<String> uidsOf(Set<PolicyId> policies) {
    return policies.stream().filter(uids::containsKey).map(uids::get).collect(Collectors.toSet());
  }

  private enum Effect {
    /// The object is deleted, or will be when its finalizers are removed; or no response arrived,
    /// and the request may still arrive.
    TAKEN,
    /// The API server, or a proxy in front of it, returned an error after which the removal may
    /// still have been done.
    UNKNOWN,
    /// The request was rejected permanently, or not sent.
    NONE
  }

  private static Effect effect(Outcome removal) {
    return switch (removal) {
      case Outcome.Done _ -> Effect.TAKEN;
      case Outcome.Failed(_, var failure) -> effect(failure);
      case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> Effect.NONE;
    };
  }

  private static Effect effect(Failure failure) {
    return switch (failure.cause()) {
      case TERMINATING, UNREACHABLE -> Effect.TAKEN;
      case CONFLICT, UNAUTHORIZED, WEBHOOK_UNREACHABLE, OVERLOADED, SERVER_ERROR -> Effect.UNKNOWN;
      case NOT_SENT,
          UNREADABLE,
          KIND_ABSENT,
          KIND_EXCLUDED,
          DENIED,
          INVALID,
          FORBIDDEN,
          NOT_FOUND ->
          Effect.NONE;
    };
  }
}
