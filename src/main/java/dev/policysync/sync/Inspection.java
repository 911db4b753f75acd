package dev.policysync.sync;

import dev.policysync.policy.kyverno.KyvernoHealth;

/// What `status` finds out about feed and cluster, without any request that writes.
public sealed interface Inspection {
  /// Feed and cluster were compared.
  ///
  /// @param run what a run would do now
  /// @param recentErrors the policies that the last run could not write
  /// @param health whether Kyverno runs
  record Compared(SyncResult.Finished run, RecentErrors recentErrors, KyvernoHealth health)
      implements Inspection {}

  /// The feed could not be read, or cannot be trusted: the expected policies are unknown.
  record NoFeed(String reason) implements Inspection {}

  /// The policies of the cluster could not be read.
  record NoCluster(String reason) implements Inspection {}
}
