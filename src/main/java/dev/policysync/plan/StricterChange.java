package dev.policysync.plan;

import dev.policysync.policy.PolicyId;

/// A write after which a policy may block more than before.
///
/// @param because in words, for whoever is asked to approve: `3 workloads fail it now: …`
public record StricterChange(PolicyId id, AffectedWorkloads affectedWorkloads, String because) {

  /// What is known of existing workloads that it would block.
  public sealed interface AffectedWorkloads {
    /// Reports tell all of them.
    record Exactly(long workloads) implements AffectedWorkloads {}

    /// Reports tell some; there may be more.
    record AtLeast(long workloads) implements AffectedWorkloads {}

    /// Nobody knows.
    record Unknown() implements AffectedWorkloads {}

    /// Nobody can know: the policy is new, and nothing was ever reported in this cluster, as in one
    /// that is being set up.
    record NothingReportedEver() implements AffectedWorkloads {}
  }
}
