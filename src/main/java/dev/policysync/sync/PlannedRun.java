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
import dev.policysync.sync.succession.Conversions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The inputs of a run and the plan made from them.
///
/// @param feed the digest of the feed
/// @param impacts the writes that change what is blocked, including withheld ones
/// @param listed the policies that were listed
/// @param older set if all writes of this feed are withheld, because a newer feed was applied
///   before
/// @param notInForce policies that are in sync, or will be, and are not executed
/// @param disowned policies that match the feed although the API server dropped our managed fields
/// @param knownGenerations the generations at which the policies that the plan leaves unchanged
///   were found in sync
/// @param conversions how the policies that Kyverno 1.20 no longer executes are converted
/// @param remarks problems that do no harm, such as a run state that could not be read
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
  /// @param removals the removals that count for the budget of this run
  /// @param lasting policies that have failed for so long that removals no longer wait for them
  record Recorded(RunState state, RemovalHistory removals, FailureHistory lasting) {}

  PlannedRun {
    impacts = List.copyOf(impacts);
    notInForce = List.copyOf(notInForce);
    disowned = Set.copyOf(disowned);
    remarks = List.copyOf(remarks);
  }

  /// Returns the policies that exist after these outcomes and are not executed.
  List<NotInForce> notInForce(List<Outcome> outcomes) {
    var missing =
        outcomes.stream()
            .filter(outcome ->
                outcome.action() instanceof Action.Create && !(outcome instanceof Outcome.Done))
            .map(outcome -> outcome.action().id())
            .collect(Collectors.toSet());
    return notInForce.stream().filter(policy -> !missing.contains(policy.id())).toList();
  }

  /// Returns the recorded agreement of feed and cluster. Empty if a policy is not executed: with an
  /// agreement, no later run would check whether Kyverno executes it.
  Optional<Agreement> agreement() {
    return mayAgree() ? recorded.state().agreement() : Optional.empty();
  }

  /// Returns whether feed and cluster may be recorded as in sync: the installed release of Kyverno
  /// executes the kinds of all policies, as far as is known. Where a policy does not move to
  /// successors, the reason must be one that lasts: neither is the kind of successors missing,
  /// whose absence an agreement would prolong, nor does this run write what may be the reason, such
  /// as a policy that it adopts.
  boolean mayAgree() {
    return NotInForce.allShownByStatus(notInForce)
        && (conversions.stream().flatMap(List::stream).allMatch(PolicyConversion::moves)
            || (listed.kinds().containsAll(Conversions.SUCCESSOR_KINDS)
                && plan.actions().isEmpty()));
  }

  /// Returns the run with the state recorded for the next run.
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
