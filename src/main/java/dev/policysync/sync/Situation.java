package dev.policysync.sync;

import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Expected;
import java.util.List;
import java.util.Optional;

/// What a run found, and what it makes of it.
///
/// @param feed the digest of the feed
/// @param foreseen which of its writes change what is blocked, those that a guard holds back too
/// @param memory what earlier runs left for this one
/// @param lasting policies that have failed for so long that removals no longer wait for them
/// @param older the feed, where all its writes are held back because a newer one was written before
/// @param remarks what could not be found out, where that does no harm
record Situation(
    Digest feed,
    Expected expected,
    Plan plan,
    List<Foreseen> foreseen,
    Memory memory,
    FailureHistory lasting,
    Optional<FeedHistory.Older> older,
    List<String> remarks) {
  Situation {
    foreseen = List.copyOf(foreseen);
    remarks = List.copyOf(remarks);
  }

  /// The same, with that noted for the next run.
  Situation with(Memory noted) {
    return new Situation(feed, expected, plan, foreseen, noted, lasting, older, remarks);
  }
}
