package dev.policysync.inspect;

import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.LeaseHold;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Reads the state of the cluster for checks. No method changes the cluster.
public interface ClusterDiagnostics {
  /// Reads the version and the clock of the API server.
  ProbeResult<Server> server();

  /// Reads which kinds of policies are served.
  ProbeResult<Kinds> kinds();

  ProbeResult<LeaseState> lease();

  /// Reads Kyverno's Deployment from the first of its usual namespaces that has one.
  ProbeResult<Kyverno> kyverno();

  /// An API server that responded.
  ///
  /// @param url its base URL
  /// @param version `v1.36.3`
  /// @param ahead how far our clock is ahead of the API server's, if the response contains its time
  record Server(String url, String version, Optional<Duration> ahead) {}

  /// The result of discovery for the kinds of policies.
  ///
  /// @param versions the served kinds, each with the version that a run would apply
  /// @param missing the kinds that are not served, each with the reason
  /// @param uncertain the kinds that the API server currently cannot report, each with the reason
  record Kinds(
      Map<PolicyKind, String> versions,
      Map<PolicyKind, String> missing,
      Map<PolicyKind, String> uncertain) {
    public Kinds {
      versions = Map.copyOf(versions);
      missing = Map.copyOf(missing);
      uncertain = Map.copyOf(uncertain);
    }
  }

  /// The state of an existing Lease.
  ///
  /// @param name `insights-agent/kyverno-policy-sync-lock`
  /// @param holder empty if the Lease is free
  /// @param sinceAcquired for how long the holder has had the Lease, if the Lease says so
  /// @param sinceRenewal the time since the last renewal by the API server's clock, if the Lease
  ///   contains a renewal time
  /// @param howToFree the command that frees the Lease from a holder that is gone
  record LeaseState(
      String name,
      LeaseHold hold,
      String holder,
      Optional<Duration> sinceAcquired,
      Optional<Duration> sinceRenewal,
      String howToFree) {}

  /// The state of Kyverno's Deployment.
  ///
  /// @param deployment `kyverno/kyverno-admission-controller`
  /// @param version the image tag `v1.19.0`, or a text instead of it
  record Kyverno(String namespace, String deployment, String version, int wanted, int ready) {}
}
