package dev.policysync.plan;

import java.util.List;

/// What is known of one kind in the cluster.
public sealed interface Listing {
  /// It is served, and these are all its objects.
  ///
  /// @param version the version at which it is listed and applied: `v1`
  record Listed(String version, List<LivePolicy> policies) implements Listing {
    public Listed {
      policies = List.copyOf(policies);
    }
  }

  /// The cluster does not serve it.
  ///
  /// @param reason what is missing and what to do: its CRD is not installed, or only served at
  ///   versions that we do not know
  record Absent(String reason) implements Listing {}

  /// The settings take it out of this agent's business: it is not listed, applied or removed.
  record Excluded() implements Listing {}

  /// It may be served, but could not be listed: nothing of this kind may be touched.
  record Unlistable(Failure failure) implements Listing {}
}
