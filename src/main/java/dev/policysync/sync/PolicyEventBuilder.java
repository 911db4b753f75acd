package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyEvent.Reason;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.execution.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Creates the Events of a run: one for each policy that was applied, updated, removed, withheld or
/// failed, or that is in conflict. Events that need a person come first.
///
/// A first sync has a thousand of them. Writing that many Events would take as long as writing the
/// policies, and would hide all other Events. So only the first Events of each reason are written;
/// one more Event contains the number of the others.
final class PolicyEventBuilder {
  private static final int EACH = 10;

  private PolicyEventBuilder() {}

  /// Returns the Events for a plan and its outcomes.
  ///
  /// @param notInForce policies that are in sync and not in force
  public static List<PolicyEvent> of(
      Plan plan, List<Outcome> outcomes, List<NotInForce> notInForce) {
    var events = new EnumMap<Reason, List<PolicyEvent>>(Reason.class);
    for (var rejected : plan.rejectedOnTheirOwn()) {
      add(
          events,
          Reason.POLICY_FAILED,
          rejected.id(),
          rejected.label(),
          rejected.failure().reason());
    }
    for (var kind : plan.problems().unlistable()) {
      add(events, Reason.POLICY_FAILED, Optional.empty(), kind.kind().label(), kind.reason());
    }
    for (var conflict : plan.problems().conflicts()) {
      add(events, Reason.POLICY_CONFLICT, conflict.id(), conflict.reason());
    }
    for (var policy : notInForce) {
      add(events, Reason.NOT_IN_FORCE, policy.id(), policy.reason());
    }
    for (var withheld : plan.pending().withheld()) {
      add(events, withheld(withheld.guard()), withheld.id(), withheld.reason());
    }
    for (var outcome : outcomes) {
      var action = outcome.action();
      switch (outcome) {
        case Outcome.Done _ -> add(events, done(action), action.id(), action.cause().toString());
        case Outcome.Failed(_, var failure) ->
            add(events, failed(action), action.id(), failure.reason());
        case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> {
          // Nothing happened to the policy; the next run tries again.
        }
      }
    }
    return events.entrySet().stream()
        .flatMap(reason -> few(reason.getKey(), reason.getValue()).stream())
        .toList();
  }

  private static Reason withheld(Guard guard) {
    return guard.onRemovals() ? Reason.REMOVAL_WITHHELD : Reason.POLICY_WITHHELD;
  }

  private static Reason done(Action action) {
    return switch (action) {
      case Action.Create _ -> Reason.POLICY_APPLIED;
      case Action.Update _ -> Reason.POLICY_UPDATED;
      case Action.Remove _ -> Reason.POLICY_REMOVED;
    };
  }

  private static Reason failed(Action action) {
    return action instanceof Action.Remove ? Reason.REMOVAL_FAILED : Reason.POLICY_FAILED;
  }

  private static void add(
      Map<Reason, List<PolicyEvent>> events, Reason reason, PolicyId policy, String why) {
    add(events, reason, Optional.of(policy), policy.toString(), why);
  }

  private static void add(
      Map<Reason, List<PolicyEvent>> events,
      Reason reason,
      Optional<PolicyId> policy,
      String label,
      String why) {
    events
        .computeIfAbsent(reason, _ -> new ArrayList<>())
        .add(new PolicyEvent(reason, policy, label + ": " + why));
  }

  private static List<PolicyEvent> few(Reason reason, List<PolicyEvent> all) {
    if (all.size() <= EACH) {
      return all;
    }
    var few = new ArrayList<>(all.subList(0, EACH));
    var rest = all.size() - EACH + " more, see the run's summary";
    few.add(new PolicyEvent(reason, Optional.empty(), rest));
    return few;
  }
}
