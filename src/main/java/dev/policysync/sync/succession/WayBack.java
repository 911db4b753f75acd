package dev.policysync.sync.succession;

import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Replacements;
import dev.policysync.plan.Successors;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.Optional;
import java.util.Set;

/// Guards the return from successors to a policy of kyverno.io, which is only possible up to
/// Kyverno 1.19: a later release leaves the status of such a policy unchanged, as ready, and does
/// not execute it.
public record WayBack(ExecutionSource source) {
  /// Returns the plan in which successors stay that a policy would replace that this Kyverno does
  /// not execute. The installed release is read only if the plan has such an action.
  public Plan closed(Plan plan, ActualPolicies actualPolicies) {
    var live = actualPolicies.byId();
    var inSync = Set.copyOf(plan.unchanged());
    var returning =
        plan.actions().stream()
            .filter(action ->
                action instanceof Action.Remove removal
                    ? returns(removal)
                    : Optional.ofNullable(live.get(action.id()))
                        .filter(there -> Replacements.overwrites(action, there))
                        .flatMap(Successors::of)
                        .filter(succession -> inSync.contains(succession.legacy()))
                        .isPresent())
            .map(Action::id)
            .toList();
    if (returning.isEmpty()) {
      return plan;
    }
    return objection()
        .map(why -> plan.keeping(returning.stream().map(id -> new Kept(id, why)).toList()))
        .orElse(plan);
  }

  private static boolean returns(Action.Remove removal) {
    return removal.successors().stream().anyMatch(id -> id.kind().endsWithKyverno119())
        && !removal.id().kind().endsWithKyverno119();
  }

  private Optional<String> objection() {
    try {
      return source
          .installed()
          .filter(version -> !version.executesLegacyKinds())
          .map(version ->
              "Kyverno " + version + " does not execute the policy that would replace it");
    } catch (ClusterUnavailable e) {
      return Optional.of("Kyverno's release could not be read: " + e.failure().reason());
    }
  }
}
