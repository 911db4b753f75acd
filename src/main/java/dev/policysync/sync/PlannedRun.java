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

/// The inputs of a run and the plan that was made from them.
///
/// @param feed the digest of the feed
/// @param impacts the writes that change what is blocked, withheld ones included
/// @param listed the policies that were listed
/// @param older the feed, if all its writes are withheld because a newer one was applied before
/// @param notInForce policies that are in sync, or will be, and are not executed
/// @param disowned policies that are as they should be although the API server has lost that they
///   are ours
/// @param knownGenerations the generations at which the policies that the plan leaves as they are
///   were found to be in sync
/// @param conversions what is being made of policies that Kyverno 1.20 no longer executes
/// @param remarks what could not be found out and does no harm
record PlannedRun(
    Digest feed,
    ExpectedPolicies expectedPolicies,
    Plan plan,
    List<WriteImpact> impacts,
    ListedPolicies listed,
    Recorded recorded,
    Optional<FeedHistory.Older> older,
    List<NotInForce> notInForce,
    Set<PolicyId> disowned,
    KnownGenerations knownGenerations,
    Optional<List<PolicyConversion>> conversions,
    List<String> remarks) {

  /// What earlier runs recorded.
  ///
  /// @param removals the part that bears on the removals of this run
  /// @param lasting policies that have failed for so long that removals no longer wait for them
  record Recorded(RunState state, RemovalHistory removals, FailureHistory lasting) {}

  PlannedRun {
    impacts = List.copyOf(impacts);
    notInForce = List.copyOf(notInForce);
    disowned = Set.copyOf(disowned);
    remarks = List.copyOf(remarks);
  }

  /// Returns the policies that are in the cluster after these outcomes and are not executed.
  List<NotInForce> notInForce(List<Outcome> outcomes) {
    var missing =
        outcomes.stream()
            .filter(outcome ->
                outcome.action() instanceof Action.Create && !(outcome instanceof Outcome.Done))
            .map(outcome -> outcome.action().id())
            .collect(Collectors.toSet());
    return notInForce.stream().filter(policy -> !missing.contains(policy.id())).toList();
  }

  /// Returns the recorded agreement of feed and cluster; empty if a policy is not executed, since
  /// no later run would ask whether Kyverno still executes all of them.
  Optional<Agreement> agreement() {
    return executed() ? recorded.state().agreement() : Optional.empty();
  }

  /// Returns whether the installed release of Kyverno executes all policies, as far as is known.
  boolean executed() {
    return NotInForce.noneByRelease(notInForce);
  }

  /// Returns the run with the state that it has recorded for the next one.
  PlannedRun with(RunState state) {
    return new PlannedRun(
        feed,
        expectedPolicies,
        plan,
        impacts,
        listed,
        new Recorded(state, recorded.removals(), recorded.lasting()),
        older,
        notInForce,
        disowned,
        knownGenerations,
        conversions,
        remarks);
  }
}
