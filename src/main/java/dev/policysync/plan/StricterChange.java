package dev.policysync.plan;

import dev.policysync.policy.PolicyId;

/// A write after which a policy may block more requests.
///
/// @param because the reason in words, for the person who approves: `3 workloads fail it now: …`
public record StricterChange(PolicyId id, AffectedWorkloads affectedWorkloads, String because) {

  /// The number of existing workloads that the policy would block, as far as known.
  public sealed interface AffectedWorkloads {
    /// Policy reports show all of them.
    record Exactly(long workloads) implements AffectedWorkloads {}

    /// Policy reports show some; there may be more.
    record AtLeast(long workloads) implements AffectedWorkloads {}

    record Unknown() implements AffectedWorkloads {}

    /// The number is unknown: the policy is new, and this cluster never had a policy report, such
    /// as a cluster that is being set up.
    record NothingReportedEver() implements AffectedWorkloads {}
  }
}
