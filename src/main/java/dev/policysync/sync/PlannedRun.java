package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.KnownGenerations;
import dev.policysync.plan.ListedPolicies;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.WriteImpact;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.execution.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What a run found, and what it makes of it.
///
/// @param feed the digest of the feed
/// @param impacts which of its writes change what is blocked, those that a guard holds back too
/// @param listed the policies that were listed
/// @param state what earlier runs left for this one
/// @param removals what of it bears on the removals of this run
/// @param lasting policies that have failed for so long that removals no longer wait for them
/// @param older the feed, where all its writes are held back because a newer one was written before
/// @param notInForce what is in sync, or will be, and is not executed
/// @param disowned what is as it should be although the API server has lost that it is ours
/// @param knownGenerations the generations at which the policies that it leaves as they are were
///   found to be in sync
/// @param conversions what is being made of policies that Kyverno 1.20 no longer executes
/// @param remarks what could not be found out, where that does no harm
record PlannedRun(
    Digest feed,
    ExpectedPolicies expectedPolicies,
    Plan plan,
    List<WriteImpact> impacts,
    ListedPolicies listed,
    RunState state,
    RemovalHistory removals,
    FailureHistory lasting,
    Optional<FeedHistory.Older> older,
    List<NotInForce> notInForce,
    Set<PolicyId> disowned,
    KnownGenerations knownGenerations,
    Optional<List<PolicyConversion>> conversions,
    List<String> remarks) {
  PlannedRun {
    impacts = List.copyOf(impacts);
    notInForce = List.copyOf(notInForce);
    disowned = Set.copyOf(disowned);
    remarks = List.copyOf(remarks);
  }

  /// What is in the cluster then and is not executed.
  List<NotInForce> notInForce(List<Outcome> outcomes) {
    var missing =
        outcomes.stream()
            .filter(outcome ->
                outcome.action() instanceof Action.Create && !(outcome instanceof Outcome.Done))
            .map(outcome -> outcome.action().id())
            .collect(Collectors.toSet());
    return notInForce.stream().filter(policy -> !missing.contains(policy.id())).toList();
  }

  /// What feed and cluster agreed on before, if nothing ends that: no later run would ask whether
  /// Kyverno still executes all of it.
  Optional<Agreement> agreement() {
    return executed() ? state.agreement() : Optional.empty();
  }

  /// Whether the installed release of Kyverno executes all of it, as far as that is known.
  boolean executed() {
    return NotInForce.noneByRelease(notInForce);
  }

  /// The same, with that noted for the next run.
  PlannedRun with(RunState noted) {
    return new PlannedRun(
        feed,
        expectedPolicies,
        plan,
        impacts,
        listed,
        noted,
        removals,
        lasting,
        older,
        notInForce,
        disowned,
        knownGenerations,
        conversions,
        remarks);
  }
}
