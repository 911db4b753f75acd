package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The outcomes of earlier stages, and what follows from them for an action (promise 5). Immutable,
/// because the actions of a stage read it concurrently.
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

  /// Creates the outcomes before the first stage.
  ///
  /// @param lasting failures that removals no longer wait for
  static EarlierOutcomes none(Plan plan, FailureHistory lasting) {
    return new EarlierOutcomes(
        plan,
        new TransientFailures(plan.problems().rejected(), lasting),
        List.of(),
        new HashSet<>(plan.unchanged()));
  }

  EarlierOutcomes plusStage(List<Outcome> stage) {
    var all = new ArrayList<>(outcomes);
    all.addAll(stage);
    var applied = new HashSet<>(inForce);
    stage.stream()
        .filter(outcome -> outcome.action() instanceof Action.Write)
        .filter(EarlierOutcomes::isAsPlanned)
        .forEach(outcome -> applied.add(outcome.action().id()));
    return new EarlierOutcomes(plan, failures, all, applied);
  }

  /// Returns the outcomes in the order of the plan's actions.
  List<Outcome> outcomes() {
    return outcomes;
  }

  /// Returns why the action must not be done after these outcomes. Only removals depend on more
  /// than the order.
  Optional<StopReason> objection(Action action) {
    if (!(action instanceof Action.Remove removal)) {
      return Optional.empty();
    }
    if (failures.holdBack(removal, outcomes)) {
      return Optional.of(StopReason.EARLIER_FAILURE);
    }
    return inForce.containsAll(removal.successors())
        ? Optional.empty()
        : Optional.of(StopReason.SUCCESSOR_NOT_IN_FORCE);
  }

  private static boolean isAsPlanned(Outcome outcome) {
    return outcome instanceof Outcome.Done || outcome instanceof Outcome.Settled;
  }
}
