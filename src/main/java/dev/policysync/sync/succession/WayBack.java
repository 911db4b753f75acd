package dev.policysync.sync.succession;

import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Replacements;
import dev.policysync.plan.Successors;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.Optional;
import java.util.Set;

/// Guards the return from successors to a policy of kyverno.io, which is only possible up to
/// Kyverno 1.19: a later release leaves the status of such a policy unchanged, as ready, and does
/// not execute it.
public final class WayBack {
  private final ExecutionSource source;

  public WayBack(ExecutionSource source) {
    this.source = source;
  }

  /// Returns the plan in which successors stay that a policy would replace that this Kyverno does
  /// not execute. The installed release is read only if the plan has such an action.
  public Plan closed(Plan plan, ActualPolicies actualPolicies) {
    var live = actualPolicies.byId();
    var inSync = Set.copyOf(plan.unchanged());
    var returning =
        plan.actions().stream()
            .filter(action ->
                action instanceof Action.Remove removal
                    ? removal.successors().stream().anyMatch(id -> id.kind().endsWithKyverno119())
                        && !removal.id().kind().endsWithKyverno119()
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

  private Optional<String> objection() {
    try {
      return source
          .installed()
          .filter(version -> !version.executesLegacyKinds())
          .map(WayBack::endsBefore);
    } catch (ClusterUnavailable e) {
      return Optional.of("Kyverno's release could not be read: " + e.failure().reason());
    }
  }

  private static String endsBefore(KyvernoVersion version) {
    return "Kyverno " + version + " does not execute the policy that would replace it";
  }
}
