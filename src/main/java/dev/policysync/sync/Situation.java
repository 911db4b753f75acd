package dev.policysync.sync;

import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a run found, and what it makes of it.
///
/// @param feed the digest of the feed
/// @param foreseen which of its writes change what is blocked, those that a guard holds back too
/// @param seen the policies that were listed
/// @param memory what earlier runs left for this one
/// @param removals what of it bears on the removals of this run
/// @param lasting policies that have failed for so long that removals no longer wait for them
/// @param older the feed, where all its writes are held back because a newer one was written before
/// @param remarks what could not be found out, where that does no harm
record Situation(
    Digest feed,
    Expected expected,
    Plan plan,
    List<Foreseen> foreseen,
    Set<PolicyId> seen,
    Memory memory,
    RemovalHistory removals,
    FailureHistory lasting,
    Optional<FeedHistory.Older> older,
    List<String> remarks) {
  Situation {
    foreseen = List.copyOf(foreseen);
    seen = Set.copyOf(seen);
    remarks = List.copyOf(remarks);
  }

  /// The same, with that noted for the next run.
  Situation with(Memory noted) {
    return new Situation(
        feed, expected, plan, foreseen, seen, noted, removals, lasting, older, remarks);
  }
}
