package dev.policysync.inspect;

/// Whom to ask what is around the policies of a cluster.
public interface StatusSource {
  /// Everything, as far as it may be read.
  ClusterFacts facts();
}
