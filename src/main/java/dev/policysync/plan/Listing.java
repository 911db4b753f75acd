package dev.policysync.plan;

import java.util.List;

/// The result of listing one kind in the cluster.
public sealed interface Listing {
  /// The kind is served, and these are all its objects.
  ///
  /// @param version the version at which the kind is listed and applied: `v1`
  record Listed(String version, List<LivePolicy> policies) implements Listing {
    public Listed {
      policies = List.copyOf(policies);
    }
  }

  /// The cluster does not serve the kind.
  ///
  /// @param reason what is missing and what to do: the CRD is not installed, or is only served at
  ///   versions that the agent does not know
  record Absent(String reason) implements Listing {}

  /// The settings exclude the kind: it is not listed, applied or removed.
  record Excluded() implements Listing {}

  /// The kind may be served, but could not be listed: no object of this kind may be written or
  /// removed.
  record Unlistable(Failure failure) implements Listing {}
}
