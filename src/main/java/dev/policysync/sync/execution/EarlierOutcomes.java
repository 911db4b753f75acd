package dev.policysync.sync.execution;

import dev.policysync.kyverno.PolicyDependency;
import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// How the stages before an action ended, and what that means for it (promises 5 and 6). Immutable,
/// as the actions of a stage look at it side by side.
final class EarlierOutcomes {
  private final Plan plan;
  private final TransientFailures failures;
  private final List<Outcome> outcomes;
  private final Set<PolicyId> inForce;

  private EarlierOutcomes(
      Plan plan, TransientFailures failures, List<Outcome> outcomes, Set<PolicyId> inForce) {
    this.plan = plan;
    this.failures = failures;
    this.outcomes = List.copyOf(outcomes);
    this.inForce = Set.copyOf(inForce);
  }

  /// None yet.
  ///
  /// @param lasting failures that removals no longer wait for
  static EarlierOutcomes none(Plan plan, FailureHistory lasting) {
    return new EarlierOutcomes(
        plan,
        new TransientFailures(plan.rejected(), lasting),
        List.of(),
        new HashSet<>(plan.unchanged()));
  }

  /// These and those of the stage that has ended now.
  EarlierOutcomes and(List<Outcome> stage) {
    var all = new ArrayList<>(outcomes);
    all.addAll(stage);
    var applied = new HashSet<>(inForce);
    stage.stream()
        .filter(outcome -> outcome.action() instanceof Action.Write)
        .filter(EarlierOutcomes::isAsPlanned)
        .forEach(outcome -> applied.add(outcome.action().id()));
    return new EarlierOutcomes(plan, failures, all, applied);
  }

  /// In the order of the plan's actions.
  List<Outcome> outcomes() {
    return outcomes;
  }

  /// Why not to do that after them; only removals depend on more than the order.
  Optional<StopReason> objection(Action action) {
    if (!(action instanceof Action.Remove removal)) {
      return Optional.empty();
    }
    if (failures.holdBack(removal, outcomes)) {
      return Optional.of(StopReason.EARLIER_FAILURE);
    }
    if (PolicyDependency.is(removal.id().kind()) && isNeeded(removal)) {
      return Optional.of(StopReason.STILL_NEEDED);
    }
    return inForce.containsAll(removal.successors())
        ? Optional.empty()
        : Optional.of(StopReason.SUCCESSOR_NOT_IN_FORCE);
  }

  /// Whether a shield that this policy needs could not be applied.
  boolean lackShieldOf(PolicyId policy) {
    var needed = plan.dependencies().neededBy(policy);
    return outcomes.stream()
        .filter(outcome -> needed.contains(outcome.action().id()))
        .anyMatch(outcome -> !isAsPlanned(outcome));
  }

  /// Whether whoever executes policies must not learn of that stage before it has learnt of these:
  /// a policy begins to block under a shield that came just now, a shield goes whose policy did, or
  /// a policy goes whose successor came.
  boolean haveToBeKnownBefore(List<Action> stage, StrictnessCheck strictnessCheck) {
    var done =
        outcomes.stream()
            .filter(EarlierOutcomes::isAsPlanned)
            .map(outcome -> outcome.action().id())
            .collect(Collectors.toSet());
    return stage.stream()
        .anyMatch(action ->
            switch (action) {
              case Action.Write write ->
                  !Collections.disjoint(plan.dependencies().neededBy(write.id()), done)
                      && strictnessCheck.mayTighten(write);
              case Action.Remove removal ->
                  !Collections.disjoint(plan.dependencies().servedBy(removal.id()), done)
                      || !Collections.disjoint(removal.successors(), done);
            });
  }

  private static boolean isAsPlanned(Outcome outcome) {
    return outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled;
  }

  /// Whether an exception or a context entry has to outlive a policy that is still there, or still
  /// is what it was (promise 6).
  private boolean isNeeded(Action.Remove shield) {
    var served = plan.dependencies().servedBy(shield.id());
    return outcomes.stream()
        .anyMatch(outcome ->
            stillThere(outcome) || (served.contains(outcome.action().id()) && !asWanted(outcome)));
  }

  /// Whether it is a policy that should have gone and is in force all the same.
  private static boolean stillThere(Outcome outcome) {
    return outcome.action() instanceof Action.Remove removal
        && removal.id().kind().role() == PolicyKind.Role.POLICY
        && (outcome instanceof Outcome.Failed || outcome instanceof Outcome.NotAttempted);
  }

  /// Whether nothing is in force under that name that the feed does not want.
  private static boolean asWanted(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Done _, Outcome.Settled _ -> true;
      case Outcome.Failed _, Outcome.NotAttempted _ -> outcome.action() instanceof Action.Create;
      case Outcome.Dropped _ -> false;
    };
  }
}
