package dev.policysync.sync;

import dev.policysync.difference.Difference;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a run ended.
public sealed interface SyncResult {
  /// The plan was carried out, as far as its outcomes say.
  ///
  /// @param feed the digest of the feed that the plan was made from
  /// @param changes for `diff`: what each write would change, by policy
  /// @param how how to let withheld removals through, where a person may
  /// @param enforcing how to let through what is withheld because of what it blocks
  /// @param foreseen which writes change what is blocked, also of those that are withheld
  /// @param remarks what else went wrong, doing no harm to the policies
  record Finished(
      Plan plan,
      List<Outcome> outcomes,
      Digest feed,
      Map<PolicyId, Difference> changes,
      Optional<HowToApprove> how,
      Optional<HowToApprove> enforcing,
      List<Foreseen> foreseen,
      List<String> remarks)
      implements SyncResult {
    /// One in which nobody looked at what is blocked.
    public Finished(
        Plan plan,
        List<Outcome> outcomes,
        Digest feed,
        Map<PolicyId, Difference> changes,
        Optional<HowToApprove> how,
        List<String> remarks) {
      this(plan, outcomes, feed, changes, how, Optional.empty(), List.of(), remarks);
    }

    public Finished {
      foreseen = List.copyOf(foreseen);
      outcomes = List.copyOf(outcomes);
      changes = Map.copyOf(changes);
      remarks = List.copyOf(remarks);
    }
  }

  /// Another run has the Lease; nothing was written.
  record Skipped(String holder, Digest feed) implements SyncResult {}

  /// A signal came while the plan was carried out, or before everybody was told what came of it.
  record Interrupted(Finished run) implements SyncResult {}

  /// A signal came before anything was written.
  record Stopped() implements SyncResult {}

  /// The feed could not be trusted, or the cluster not be read or locked: nothing was written.
  record Refused(String reason, boolean retryable) implements SyncResult {}
}
