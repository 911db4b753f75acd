package dev.policysync.inspect;

/// Reads the cluster's state apart from its policies.
public interface StatusSource {
  /// Reads all facts that we have permission for.
  ClusterFacts facts();
}
